import ParseModel

/// The remote's clock, as its answers told it and continued by the local uptime. The local wall clock plays no part.
///
/// An answer carries the second in which it was written, at some time between its request and its arrival. So the present server
/// time is known as an earliest and a latest time.
struct ServerClock: Sendable {
    private var reading: (server: ParseDate, asked: Duration, answered: Duration)?

    /// - Parameters:
    ///   - asked: the uptime at which the request went out.
    ///   - answered: the uptime at which its answer arrived.
    mutating func note(_ serverTime: ParseDate, asked: Duration, answered: Duration) {
        reading = (serverTime, asked, answered)
    }

    /// The earliest possible server time.
    /// - Returns: nil before the remote has told its time.
    func earliest(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + (uptime - $0.answered) }
    }

    /// The latest possible server time.
    /// - Returns: nil before the remote has told its time.
    func latest(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + .seconds(1) + (uptime - $0.asked) }
    }
}
