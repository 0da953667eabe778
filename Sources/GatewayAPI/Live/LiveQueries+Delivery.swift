import ParseModel
import StoreService
import Synchronization

/// The delivery of new changes to the groups of subscriptions.
extension LiveQueries {
    /// A page of changes, and the groups to which it is delivered.
    private struct Delivery {
        let since: Int64
        let page: LivePage
    }

    /// Delivers the changes of the latest commits.
    func deliverNew() async {
        while true {
            let (since, classes) = state.withLock { ($0.position, Set($0.indexes.keys)) }
            guard !classes.isEmpty else { return }
            let page: LivePage
            do {
                page = try live.newChanges(
                    since: since, classes: classes, limit: Self.pageMax, for: LiveReader(principal: .master))
            } catch {
                return fail(error)
            }
            // A group of a further class could have joined while the page was read. The page has no changes of its class.
            let isTaken = state.withLock { state in
                guard state.position == since, classes.isSuperset(of: state.indexes.keys) else { return false }
                state.position = page.next
                return true
            }
            guard isTaken else { continue }
            deliver(Delivery(since: since, page: page))
            state.withLock { state in
                // A subscription that joined in the meantime, as the only one, has set an earlier position.
                if state.position == page.next { state.delivered = page.next }
            }
            if page.isLast { return }
        }
    }

    /// Ends all subscriptions that are up to date, because the changes cannot be read. The clients subscribe again.
    private func fail(_ error: any Error) {
        logger.warning("the changes for live queries cannot be read: \(error)")
        let groups = state.withLock { Array($0.groups.values) }
        for member in groups.flatMap(\.members.values) { stop(member, for: error) }
    }

    private func deliver(_ delivery: Delivery) {
        if delivery.page.renamesObjects { renewConditions() }
        let separate = delivery.page.rightsChangedAt > delivery.since ? restrictedGroups() : []
        for change in delivery.page.changes {
            let parsed = ParsedChange(change)
            if parsed.isDamaged {
                logger.error(
                    "the object \(change.objectId) of \(change.className) is damaged, so a live query may miss it")
            }
            let groups = state.withLock { state in
                (state.indexes[change.className]?.candidates(parsed.states) ?? [])
                    .subtracting(separate).compactMap { key in state.groups[key].map { (key, $0) } }
            }
            for (_, group) in groups { deliver(parsed, to: group) }
        }
        for key in separate { deliverWithNewRights(key, delivery) }
    }

    // MARK: Rights and ids

    private func restrictedGroups() -> Set<LiveGroupKey> {
        state.withLock { Set($0.groups.filter { live.restricts($0.value.reader.principal) }.keys) }
    }

    /// Delivers changes to a group whose rights may have changed. The store compares the rights at each change.
    private func deliverWithNewRights(_ key: LiveGroupKey, _ delivery: Delivery) {
        guard var group = state.withLock({ $0.groups[key] }) else { return }
        do {
            guard let reader = try present(group.reader) else {
                for member in group.members.values { stop(member, for: ParseError.invalidSession, reconnects: false) }
                return
            }
            group.reader = reader
            update(key, group.predicates, group.reader)
            var since = delivery.since
            while since < delivery.page.next {
                let page = try live.newChanges(
                    since: since, classes: [key.className], limit: Self.pageMax, for: group.reader)
                for change in page.changes where change.number <= delivery.page.next {
                    deliver(ParsedChange(change), to: group, isReadable: true)
                }
                since = page.isLast ? delivery.page.next : page.next
            }
        } catch {
            for member in group.members.values { stop(member, for: error) }
        }
    }

    /// The reader with the roles that its user has now.
    /// - Returns: nil if the session has ended.
    func present(_ reader: LiveReader) throws -> LiveReader? {
        guard live.restricts(reader.principal) else { return reader }
        return try store.present(reader.principal).map { LiveReader(principal: $0, reading: reader.reading) }
    }

    private func renewConditions() {
        for (key, group) in state.withLock({ $0.groups }) {
            guard let query = group.members.values.first?.query else { continue }
            do { update(key, try predicates(of: query), group.reader) } catch {
                for member in group.members.values { stop(member, for: error) }
            }
        }
    }

    // MARK: Events

    /// - Parameter isReadable: whether the states of the change are those that the group may read.
    private func deliver(_ parsed: ParsedChange, to group: Group, isReadable: Bool = false) {
        do {
            let changes = LiveChangeReader(live: live, positions: positions, group: group)
            guard let (event, rules) = try changes.event(parsed, isReadable: isReadable) else { return }
            var texts: [Set<String>?: [UInt8]] = [:]
            for member in group.members.values {
                let keys = member.query.keys
                // The members of a group can watch different fields.
                do { try member.query.checkWatch(rules) } catch {
                    stop(member, for: error, reconnects: false)
                    continue
                }
                guard
                    let event = try member.query.watch == nil ? event : changes.event(parsed, isReadable, member.query)
                else { continue }
                let text = texts[keys] ?? changes.text(event, parsed, rules, keys)
                texts[keys] = text
                send(event, text, to: member)
            }
        } catch {
            // A condition that cannot be evaluated, such as a slow pattern, stays so. After any other error, the client gets
            // the event when it comes back.
            for member in group.members.values { stop(member, for: error, reconnects: !(error is ParseError)) }
        }
    }

    /// Sends an event, unless the subscription has it already, or its connection is busy.
    private func send(_ event: LiveEvent, _ text: [UInt8], to member: LiveSubscription) {
        guard member.mode == .live, event.number > member.position else { return }
        guard member.mayContinue() else {
            return stop(member, for: ParseError.invalidSession, reconnects: false)
        }
        guard member.client.send(event.operation, text, to: member) else {
            return wait(member, before: event.number)
        }
        member.advance(to: event.number, sent: event.number)
    }

    /// Takes a subscription out of its group until its connection has sent its messages.
    private func wait(_ member: LiveSubscription, before number: Int64) {
        let isWaiting = state.withLock { state in
            member.state.withLock { own in
                guard own.mode == .live else { return false }
                own.mode = .waiting
                own.position = max(own.position, number - 1)
                Self.leave(member, &state)
                return true
            }
        }
        // The connection may have become free in the meantime.
        if isWaiting, !member.client.isBusy { resume(member) }
    }

    /// Ends a subscription with an error. If the changes after its position are no longer known, the next subscription of
    /// the client starts after the newest change.
    func stop(_ member: LiveSubscription, for error: any Error, reconnects: Bool = true) {
        let isTooLate = if case StoreError.feedTrimmed = error { true } else { false }
        if isTooLate { state.withLock { $0.followed[member.query.className]?.end = .zero } }
        end(member, forgets: isTooLate)
        member.client.end(member, for: error, reconnects: reconnects)
    }
}

/// A change with its parsed states.
struct ParsedChange {
    let change: LiveChange
    let before: JSONObject?
    let after: JSONObject?

    init(_ change: LiveChange) {
        self.change = change
        func parsed(_ text: String?) -> JSONObject? {
            text.flatMap { try? JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object }
        }
        (before, after) = (parsed(change.before), parsed(change.after))
    }

    var states: [JSONObject] { [before, after].compactMap { $0 } }

    /// Whether the text of a state is unreadable.
    var isDamaged: Bool { (before == nil) != (change.before == nil) || (after == nil) != (change.after == nil) }
}

/// Makes the events of one group.
struct LiveChangeReader {
    let live: any LiveStore
    let positions: FeedPositions
    let group: LiveQueries.Group

    /// The event of a change for the group, without regard to watched fields, and the rights that decide which fields it shows.
    func event(_ parsed: ParsedChange, isReadable: Bool) throws -> (event: LiveEvent, rules: AccessRules)? {
        guard let event = try event(parsed, isReadable, nil) else { return nil }
        return (event, try rules(of: parsed.change.className))
    }

    /// The rights that decide which fields an event shows.
    /// - Throws: Parse error 119 if a field of the conditions has become protected. The events would reveal its values.
    func rules(of className: String) throws -> AccessRules {
        let rules = { try live.rules(of: $0, as: group.reader.principal) }
        let own = try rules(className)
        if !own.hiddenFields.isEmpty, let predicate = group.predicates.first {
            try QueryRules(rules).checkFields(of: predicate, of: className)
        }
        return own
    }

    /// - Parameter query: the query whose watched fields count; nil for none.
    func event(_ parsed: ParsedChange, _ isReadable: Bool, _ query: LiveQuery?) throws -> LiveEvent? {
        let readable =
            try isReadable
            ? (before: true, after: true) : live.readability(of: parsed.change, for: group.reader)
        let states = LiveEvent.States(
            before: readable.before ? parsed.before : nil, after: readable.after ? parsed.after : nil)
        return try LiveEvent(parsed.change, states, watching: query) {
            try LiveMatcher.matches(group.predicates, $0, of: parsed.change.className)
        }
    }

    func text(_ event: LiveEvent, _ parsed: ParsedChange, _ rules: AccessRules, _ keys: Set<String>?) -> [UInt8] {
        event.text(of: parsed.change, shownBy: rules, keys, number: positions.jsonText(event.number))
    }
}
