/// Computes the delay from a report of the remote to the sync that it causes. Many reports in a row cause few syncs.
struct SignalPace: Sendable {
    /// The delay after the first report. The sync then includes the changes that the remote reports during the delay.
    static let delay = Duration.milliseconds(100)
    /// The minimum time between the beginnings of two syncs.
    static let interval = Duration.milliseconds(500)
    /// The maximum pause after a sync. Up to this time, the pause is as long as the sync was.
    static let pauseMax = Duration.seconds(5)

    /// The uptime before which no report starts a sync.
    private var earliest = Duration.zero

    /// - Parameters:
    ///   - begin: the uptime of the beginning of a sync.
    ///   - end: the uptime of its end.
    mutating func noteSync(from begin: Duration, to end: Duration) {
        earliest = max(begin + Self.interval, end + min(end - begin, Self.pauseMax))
    }

    /// - Parameter now: the uptime of the report.
    func delay(at now: Duration) -> Duration { max(Self.delay, earliest - now) }
}
