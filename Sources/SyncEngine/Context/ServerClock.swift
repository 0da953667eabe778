import ParseModel

/// The remote's clock, derived from the times in its answers and the local uptime. The local wall clock is not used.
///
/// An answer shows the server time in whole seconds, at a moment between the request and the arrival of the answer. The current
/// server time is therefore known as an interval.
struct ServerClock: Sendable {
    private var reading: (server: ParseDate, asked: Duration, answered: Duration)?

    /// Records the server time that an answer shows.
    /// - Parameters:
    ///   - asked: the uptime at which the request was sent.
    ///   - answered: the uptime at which the answer arrived.
    mutating func note(_ serverTime: ParseDate, asked: Duration, answered: Duration) {
        reading = (serverTime, asked, answered)
    }

    /// The earliest possible server time at the given uptime; nil before the first answer.
    func earliest(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + (uptime - $0.answered) }
    }

    /// The latest possible server time at the given uptime; nil before the first answer.
    func latest(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + .seconds(1) + (uptime - $0.asked) }
    }
}
