import ParseModel

/// The time of the remote, estimated from the time in its last answer and the time that has passed since. It never
/// decreases, even if the clock of this machine or of the remote is set back.
///
/// The time since the last answer is measured by this machine's clock, or by its uptime if that has advanced further.
package struct TrustedTime: Sendable {
    /// A time of the remote, and the time of this machine at the same moment.
    package struct Note: Sendable, Hashable {
        package let remote: ParseDate
        package let here: ParseDate

        package init(remote: ParseDate, here: ParseDate) { (self.remote, self.here) = (remote, here) }
    }

    private var last: Note
    private var uptime: Duration

    /// - Parameters:
    ///   - note: the stored note; nil for none.
    ///   - here: the time of this machine.
    package init(_ note: Note?, here: ParseDate, uptime: Duration) {
        last = note ?? Note(remote: here, here: here)
        self.uptime = uptime
        _ = now(here: here, uptime: uptime)
    }

    /// The present time.
    package mutating func now(here: ParseDate, uptime: Duration) -> ParseDate {
        let byClock = Duration.milliseconds(here.milliseconds - last.here.milliseconds)
        let byUptime = uptime - self.uptime
        last = Note(remote: last.remote + max(byClock, byUptime, .zero), here: here)
        self.uptime = uptime
        return last.remote
    }

    /// Records the time in an answer of the remote. A time earlier than the known one changes nothing.
    package mutating func note(_ remote: ParseDate, here: ParseDate, uptime: Duration) {
        let known = now(here: here, uptime: uptime)
        if remote > known { last = Note(remote: remote, here: here) }
    }

    /// The times to store, for the next start.
    package var note: Note { last }
}
