import ParseModel
import RemoteService

/// Detects a remote that was restored from an older backup. Such a remote lacks the newest objects, and has an older
/// state of edited objects.
struct RestoredBackup {
    /// The numbers of objects that `readBackNewest` tries to read, in this order. If the rows exceed the size limit of an answer,
    /// the next number is tried.
    private static let readBackSizes = [readBackMax, 6, 1]
    private static let readBackMax = 50
    /// The maximum number of objects that one sync reads to see whether they have reappeared.
    private static let heldReadMax = 500

    private let context: SyncContext
    private let rows: RowIntake
    /// By class, the server time at which the last complete pull of an earlier sync began (`PulledState.knownBefore`).
    private let knownBefore: [String: ParseDate]

    init(_ context: SyncContext, knownBefore: [String: ParseDate]) {
        self.context = context
        self.knownBefore = knownBefore
        rows = RowIntake(context)
    }

    /// Reads the objects that wait for a decision because of a restored backup. `OlderRowRules` decides which of the
    /// found objects no longer wait.
    func releaseReappeared(of className: String) async throws(SyncError) {
        let ids = try await context.store { try await $0.lostIds(of: className, max: Self.heldReadMax) }
        guard !ids.isEmpty else { return }
        let found = try await ObjectLookup(context).ask(for: ids, of: className)
        try await rows.apply(found.filter { !context.classes.isDeleted($0) }, of: className)
    }

    /// Decides whether a restored backup explains the missing objects of a sync, and if so, notes this in `olderRows`.
    /// The newest known object of a class must be missing, and one of two further signs must be found:
    /// - The remote has an older state of a recently changed object. `ObjectLookup` may have found this sign before.
    /// - Only the newest objects are missing, and at least `rollbackCheckMin` of them were written by this gateway or
    ///   edited after their creation.
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

    /// Reads the most recently changed objects by id. An older remote state of one of them shows that the remote was restored
    /// from a backup. `OlderRowRules` make exceptions, for example while the answer may lag behind an acknowledged edit. Usually
    /// takes one request.
    func readBackNewest(besides gone: [String: Set<String>] = [:]) async throws(SyncError) {
        // The times in `knownBefore` are whole seconds. A pull that began at such a time may also have read changes of
        // the rest of that second.
        let known = knownBefore.mapValues { $0 + .seconds(1) }
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
                    try await rows.applyOlder(found, of: className)
                }
                return
            } catch .unusable(_, isTooMuch: true) {
                continue
            }
        }
    }
}
