import ParseModel
import RemoteService

/// Detects a remote that was restored from an older backup: it lacks the newest objects, and shows edited ones in an older state.
struct RestoredBackup {
    /// How many of the most recently changed objects are read back, and how many if those rows are too large.
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

    /// Releases lost objects that the remote shows again, as they were or newer.
    func lookForLost(of className: String) async throws(SyncError) {
        let ids = try await context.store { try await $0.lostIds(of: className, max: Self.readBackMax) }
        guard !ids.isEmpty else { return }
        let found = try await ObjectLookup(context).ask(for: ids, of: className)
        try await rows.apply(found.filter { !context.classes.isDeleted($0) }, of: className)
    }

    /// Decides whether the missing objects of one sync are the work of a restored backup. They are if one of the most recently
    /// changed objects is older there. Otherwise they are if enough attested objects are missing, and no older one is.
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

    /// Reads the most recently changed objects: if the remote shows them in an older state, it was restored. One request,
    /// unless the rows are larger than one answer may be.
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
                    // Newer rows are left to the pull and the audits, which report them.
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
