import ParseModel
import RemoteService

/// Detects a remote that was restored from an older backup: it lacks the newest objects and shows edited ones in an older state.
struct RestoredBackup {
    /// The number of most recently changed objects to read, and the smaller numbers to try if those rows are too large.
    private static let readBackSizes = [readBackMax, 6, 1]
    private static let readBackMax = 50

    private let context: SyncContext
    private let rows: RowIntake
    /// By class, the server time at which the last complete sync before this one began.
    private let knownBefore: [String: ParseDate]

    init(_ context: SyncContext, knownBefore: [String: ParseDate]) {
        self.context = context
        self.knownBefore = knownBefore
        rows = RowIntake(context)
    }

    /// Releases lost objects that the remote shows again, in the same or a newer state.
    func releaseReappeared(of className: String) async throws(SyncError) {
        let ids = try await context.store { try await $0.lostIds(of: className, max: Self.readBackMax) }
        guard !ids.isEmpty else { return }
        let found = try await ObjectLookup(context).ask(for: ids, of: className)
        try await rows.apply(found.filter { !context.classes.isDeleted($0) }, of: className)
    }

    /// Decides whether a restored backup explains a sync's missing objects. It does if one of the most recently changed objects
    /// has an older state on the remote. Otherwise it does if enough attested objects are missing, and no older one.
    func check(_ gone: [String: Set<String>]) async throws(SyncError) {
        guard !context.olderRows.isRestored else { return }
        let known = knownBefore
        let shape = try await context.store { try await $0.rollbackShape(of: gone, knownBefore: known) }
        guard shape.includesNewest else { return }
        try await readBackNewest(besides: gone)
        if !context.olderRows.isRestored, shape.isNewestOnly, shape.attested >= context.options.rollbackCheckMin {
            context.olderRows.noteRestored()
        }
    }

    /// Reads the most recently changed objects. If the remote shows an older state of them, it was restored. Takes one
    /// request, unless the rows exceed the size limit of an answer.
    func readBackNewest(besides gone: [String: Set<String>] = [:]) async throws(SyncError) {
        let known = knownBefore
        for size in Self.readBackSizes {
            let newest = try await context.store {
                try await $0.mostRecentlyChanged(besides: gone, knownBefore: known, max: size)
            }
            if newest.isEmpty { return }
            do {
                let found = try await context.remote.ask { remote throws(RemoteError) in
                    try await remote.fetch(newest)
                }
                for (className, found) in Dictionary(grouping: found, by: \.className).sorted(by: { $0.key < $1.key }) {
                    let older = try await context.store { try await $0.objectsNewer(than: found, of: className) }
                    // Applies only older rows. The pull and the audits apply newer ones and count them.
                    let told = found.filter { older[$0.objectId] != nil && !context.classes.isDeleted($0) }
                    try await rows.apply(told, of: className)
                }
                return
            } catch .unusable(_, isTooMuch: true) {
                continue
            }
        }
    }
}
