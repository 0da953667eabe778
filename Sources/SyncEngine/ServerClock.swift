import ParseModel

/// The remote's clock as its answers told it, carried on by our own uptime. Our wall clock plays no part.
///
/// An answer carries the second in which it was written, some time between its request and its arrival. So what is
/// known of the present is an earliest and a latest time.
struct ServerClock: Sendable {
    private var reading: (server: ParseDate, asked: Duration, answered: Duration)?

    /// - Parameters:
    ///   - asked: the uptime at which the request went out.
    ///   - answered: the uptime at which its answer was there.
    mutating func note(_ serverTime: ParseDate, asked: Duration, answered: Duration) {
        reading = (serverTime, asked, answered)
    }

    /// It is at least so late there.
    /// - Returns: nil before the remote has told its time.
    func earliest(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + (uptime - $0.answered) }
    }

    /// It is at most so late there.
    /// - Returns: nil before the remote has told its time.
    func latest(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + .seconds(1) + (uptime - $0.asked) }
    }
}
