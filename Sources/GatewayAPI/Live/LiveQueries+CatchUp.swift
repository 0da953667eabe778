import ParseModel
import StoreService

/// The reading of changes that a subscription has missed.
extension LiveQueries {
    /// The number of changes that a subscription reads at a time.
    private static let missedMax = 100

    /// Reads and sends the changes after the subscription's position, until it can join its group.
    func resume(_ subscription: LiveSubscription) {
        let mustRead = subscription.state.withLock { state in
            // A new subscription begins in the mode `reading`, and is resumed once.
            guard state.mode == .waiting || (state.mode == .reading && !state.hasBegun) else { return false }
            state.mode = .reading
            state.hasBegun = true
            return true
        }
        guard mustRead else { return }
        environment.task { [self] in
            do { try catchUp(subscription) } catch {
                stop(subscription, for: error, reconnects: !(error is ParseError))
            }
        }
    }

    private func catchUp(_ subscription: LiveSubscription) throws {
        var group = Group(predicates: try predicates(of: subscription.query), reader: subscription.reader)
        while subscription.mode == .reading {
            guard !subscription.client.isBusy else { return try wait(subscription) }
            guard subscription.mayContinue(), let reader = try present(group.reader) else {
                return stop(subscription, for: ParseError.invalidSession, reconnects: false)
            }
            group.reader = reader
            let page = try live.changes(
                since: subscription.position, classes: [subscription.query.className], limit: Self.missedMax,
                for: group.reader)
            if page.renamesObjects { group.predicates = try predicates(of: subscription.query) }
            guard try send(page, to: subscription, group) else { continue }
            if page.isLast, join(subscription, group.predicates, group.reader) {
                // Reads the changes of a commit between the last page and the join.
                return readers.deliver()
            }
        }
    }

    /// Sends the events of a page, until the connection is busy. Each event can be long, so the events of a page can be too
    /// many for a connection.
    /// - Returns: whether all were sent.
    private func send(_ page: LivePage, to subscription: LiveSubscription, _ group: Group) throws -> Bool {
        let reader = LiveChangeReader(live: live, positions: positions, group: group)
        let keys = subscription.query.keys
        for change in page.changes {
            let parsed = ParsedChange(change)
            if let event = try reader.event(parsed, true, subscription.query) {
                let rules = try reader.rules(of: change.className)
                try subscription.query.checkWatch(rules)
                let text = reader.text(event, parsed, rules, keys)
                guard subscription.client.send(event.operation, text, to: subscription) else { return false }
                subscription.advance(to: change.number, sent: event.number)
            } else {
                subscription.advance(to: change.number, sent: nil)
            }
        }
        subscription.advance(to: page.next, sent: nil)
        return true
    }

    /// Waits until the connection has sent its messages.
    private func wait(_ subscription: LiveSubscription) throws {
        subscription.state.withLock { if $0.mode == .reading { $0.mode = .waiting } }
        // The connection may have become free in the meantime.
        if !subscription.client.isBusy { resume(subscription) }
    }

    /// Closes the connections of clients that read too slowly: their subscriptions wait, and were up to date, but are now too
    /// far behind.
    func dropSlowClients() throws {
        let waiting = readers.all(LiveSubscription.self).filter { $0.state.withLock(\.waitsAfterKeepingUp) }
        guard !waiting.isEmpty else { return }
        let newest = try live.newest()
        for subscription in waiting where newest - subscription.position > readers.lagMax { subscription.client.drop() }
    }
}

extension LiveSubscription.State {
    fileprivate var waitsAfterKeepingUp: Bool { mode == .waiting && hasKeptUp }
}
