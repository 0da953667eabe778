/// Finds out which events a client has received. Each ping carries a number. A client answers it after it has read the
/// frames before it, so the answer confirms the events that were sent before the ping.
///
/// A client's WebSocket library can answer a ping before the client has processed the events. So an answer confirms only
/// the events before the previous ping.
struct LiveReceipts: Sendable {
    private struct Entry {
        /// Nil once the subscription has ended.
        weak var subscription: LiveSubscription?
        let number: Int64
    }

    private typealias Sent = [Entry]

    private var count: UInt64 = 0
    private var asked: Sent?
    /// The events before the latest answered ping.
    private var answeredBefore: Sent = []

    /// Whether a ping was not answered yet.
    var isAsking: Bool { asked != nil }

    /// Begins to ask about the events that these subscriptions have got.
    /// - Returns: the payload of the ping. While an earlier ping is not answered, its payload.
    mutating func ask(_ subscriptions: [LiveSubscription]) -> [UInt8] {
        if asked == nil {
            count += 1
            asked = subscriptions.map { Entry(subscription: $0, number: $0.sent) }
        }
        return payload
    }

    private var payload: [UInt8] { Array(String(count).utf8) }

    mutating func answered(_ payload: [UInt8]) {
        guard let asked, payload == self.payload else { return }
        for entry in answeredBefore { entry.subscription?.confirm(entry.number) }
        answeredBefore = asked
        self.asked = nil
    }
}
