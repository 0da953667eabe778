import ParseModel

/// The remote's clock, taken from its answers and continued with the local uptime. The local wall clock is not used.
///
/// An answer carries the second in which it was written, between its request and its arrival. The current server time
/// is therefore known as an interval.
struct ServerClock: Sendable {
    private var reading: (server: ParseDate, asked: Duration, answered: Duration)?

    /// - Parameters:
    ///   - asked: the uptime of the request.
    ///   - answered: the uptime of the answer's arrival.
    mutating func note(_ serverTime: ParseDate, asked: Duration, answered: Duration) {
        reading = (serverTime, asked, answered)
    }

    /// The earliest possible server time.
    /// - Returns: nil before the first answer.
    func earliest(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + (uptime - $0.answered) }
    }

    /// The latest possible server time.
    /// - Returns: nil before the first answer.
    func latest(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + .seconds(1) + (uptime - $0.asked) }
    }
}
