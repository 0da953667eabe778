import ParseModel
import StoreService

/// The positions of subscriptions, from which clients go on when they come back.
extension LiveQueries {
    /// The earliest position of the open subscriptions with a key; nil for none. The connection of a client that has come back may
    /// still look open.
    func presentPosition(of key: LiveSubscriptionKey) -> Int64? {
        state.withLock { state in
            let present = readers.all(LiveSubscription.self).filter { $0.kept?.key == key }
            return present.map { $0.safePosition(deliveredTo: state.delivered) }.min()
        }
    }

    /// Leaves the position of a subscription that does not begin to the next one.
    func abandon(_ start: LiveSubscription.Start) async {
        if let kept = start.kept { await storeEnd(start.number, kept) }
    }

    /// Stores the position of a subscription that has ended.
    /// - Parameter number: nil to drop the position.
    func storeEnd(_ number: Int64?, _ kept: LiveSubscription.KeptPosition) async {
        do {
            if let number {
                try await live.remember([kept.id: number], by: nil, for: lifetime)
            } else {
                try await live.forget(kept.id)
            }
        } catch {
            logger.warning("the position of a live query cannot be stored: \(error)")
        }
        state.withLock { $0.ending[kept.id] = nil }
    }

    /// Asks the clients which events they have received, and stores their positions.
    func confirmAndStore() async {
        let (subscriptions, delivered) = state.withLock { (readers.all(LiveSubscription.self), $0.delivered) }
        let now = environment.uptime()
        var due: [Int64: Int64] = [:]
        for subscription in subscriptions {
            if subscription.hasUnconfirmed { subscription.client.askForConfirmation() }
            guard let kept = subscription.kept,
                let safe = subscription.positionToStore(now: now, deliveredTo: delivered, lifetime: lifetime)
            else { continue }
            due[kept.id] = safe
        }
        do {
            if !due.isEmpty { try await live.remember(due, by: holder, for: lifetime) }
            for className in Set(subscriptions.map(\.query.className)) { try await follow(className) }
        } catch {
            logger.warning("the positions of live queries cannot be stored: \(error)")
        }
    }
}

extension LiveSubscription {
    /// The number of changes after which a position is stored although the client has got no event.
    private static let storedGapMax: Int64 = 1000

    /// The position to store now; nil if the stored one is good enough.
    /// - Parameter delivered: the position of all subscriptions that are up to date.
    fileprivate func positionToStore(now: Duration, deliveredTo delivered: Int64, lifetime: Duration) -> Int64? {
        state.withLock { state in
            if state.mode == .live { state.position = max(state.position, delivered) }
            let safe = state.safePosition
            if let stored = state.stored {
                let hasEvents = state.sent > stored && safe > stored
                guard hasEvents || safe - stored > Self.storedGapMax || now - state.storedAt > lifetime / 4 else {
                    return nil
                }
            }
            (state.stored, state.storedAt) = (safe, now)
            return safe
        }
    }
}
