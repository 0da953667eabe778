import ParseModel
import SyncEngine

/// The options of the engine and of the server in a kind of run.
extension SeedKind {
    /// How long the server may have stamped a write of its own before it shows it: longer than any overlap, shorter than
    /// the window of the audit that finds it.
    static let commitDelayMaxMs: Int64 = 60_000
    /// A span that no other wait has.
    static let debounce = Duration.nanoseconds(317_000_001)
    /// How the values begin over which the server fails.
    static let poisonPrefix = "poison-"

    /// Usual runs keep their course: they know neither slices nor audits of the newest rows.
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

    /// How much of the time passes in which an audit of the newest rows becomes due, before all has to be right.
    var settlingMs: Int64 { self == .lateCommits ? 310_000 : 0 }
}
