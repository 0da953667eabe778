/// Decides when a sync follows the reports of the remote. Many reports in a row cause few syncs.
struct SignalPace: Sendable {
    /// The delay after the first report. The sync then includes the changes that the remote reports during the delay.
    static let delay = Duration.milliseconds(100)
    /// The minimum time between the beginnings of two syncs.
    static let interval = Duration.milliseconds(500)
    /// The maximum pause after a sync. Up to this time, the pause is as long as the sync was.
    static let pauseMax = Duration.seconds(5)

    /// The uptime at which the running sync began; nil while none runs.
    private var begin: Duration?
    /// Whether a report has come during the running sync.
    private var hasReport = false
    /// The uptime before which no report starts a sync.
    private var earliest = Duration.zero

    /// Notes a report.
    /// - Parameter now: the uptime.
    /// - Returns: the delay of the sync that follows; nil while a sync runs. `noteEnd` then returns the delay.
    mutating func noteReport(at now: Duration) -> Duration? {
        guard begin == nil else {
            hasReport = true
            return nil
        }
        return max(Self.delay, earliest - now)
    }

    /// Notes the beginning of a sync.
    /// - Parameter now: the uptime.
    mutating func noteBeginning(at now: Duration) { begin = now }

    /// Notes the end of the running sync.
    /// - Parameter now: the uptime.
    /// - Returns: the delay of the next sync; nil if no report has come during the running one.
    mutating func noteEnd(at now: Duration) -> Duration? {
        guard let began = begin.take() else { return nil }
        earliest = max(began + Self.interval, now + min(now - began, Self.pauseMax))
        guard hasReport else { return nil }
        hasReport = false
        return max(Self.delay, earliest - now)
    }
}
