import ParseModel
import SyncEngine

/// The options of the engine in each kind of run.
extension SeedKind {
    /// The longest time in milliseconds between a write's timestamp and its commit on the server, in runs of kind `lateCommits`.
    /// It exceeds the overlap of two pulls, and is below the window of a recent audit.
    static let commitDelayMaxMs: Int64 = 60_000
    /// A duration that no other timer uses, so that `PartyClock` can recognise the debounce timer.
    static let debounce = Duration.nanoseconds(317_000_001)
    /// The server fails on every request of a replica that contains a value with this prefix, in runs of kind `failingWrites`.
    static let poisonPrefix = "poison-"

    /// Sets the options for this kind of run. Only some kinds use short relation slices or recent audits, so these options
    /// do not change the runs of other kinds.
    func set(_ options: inout SyncOptions) {
        options.recentAuditInterval = .seconds(365 * 24 * 3600)
        options.relationSlice = .seconds(3600)
        options.debounce = Self.debounce
        switch self {
        case .relations:
            options.relationSlice = .milliseconds(500)
            options.relationsReadSinglyMax = 2
        case .lateCommits: options.recentAuditInterval = SyncOptions().recentAuditInterval
        default: break
        }
    }

    /// The extra time in milliseconds after the last fault. In runs of kind `lateCommits`, it is long enough for a recent audit
    /// to become due.
    var settlingMs: Int64 { self == .lateCommits ? 310_000 : 0 }
}
