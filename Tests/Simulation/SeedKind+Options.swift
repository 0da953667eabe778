import ParseModel
import SyncEngine

/// The engine options and the constants that depend on the kind of a run.
extension SeedKind {
    /// The longest time in milliseconds between a write's timestamp and its commit on the server, in runs of kind
    /// `lateCommits`. It is longer than the overlap of two pulls, and shorter than the time that `RecentAudit` covers.
    static let commitDelayMaxMs: Int64 = 60_000
    /// A duration that no other timer uses, so that `PartyClock` can recognise the debounce timer.
    static let debounce = Duration.nanoseconds(317_000_001)
    /// In runs of kind `failingWrites`, the server fails on every write of a replica that sends a value with this prefix.
    static let poisonPrefix = "poison-"

    /// Sets the options for this kind of run. Only some kinds limit the time for reading relations and use
    /// `RecentAudit`.
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

    /// The time in milliseconds by which the clock advances when the faults stop, in addition to the advance in all
    /// runs. In runs of kind `lateCommits`, a `RecentAudit` becomes due in this time.
    var settlingMs: Int64 { self == .lateCommits ? 310_000 : 0 }

    /// Whether many processes of replicas end during syncs.
    var hasManyCrashes: Bool { self == .crashes || self == .manyPages }
}
