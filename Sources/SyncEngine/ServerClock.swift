import ParseModel

/// The remote's clock as its answers told it, carried on by our own uptime. Our wall clock plays no part.
struct ServerClock: Sendable {
    private var reading: (server: ParseDate, uptime: Duration)?

    mutating func note(_ serverTime: ParseDate, uptime: Duration) { reading = (serverTime, uptime) }

    /// - Returns: nil before the remote has told its time.
    func now(uptime: Duration) -> ParseDate? {
        reading.map { $0.server + (uptime - $0.uptime) }
    }
}
