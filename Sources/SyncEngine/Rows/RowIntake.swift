import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Applies remote rows to the store. `OlderRowRules` decides about rows that are older than the local copy. A single
/// such row can show that the remote is a restored backup. Missing objects, and objects with older rows, are then kept
/// until a user decides.
struct RowIntake {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Applies rows that were read outside a pull, and remote deletions.
    /// - Parameter gone: the ids of the deleted objects, which a read by id did not find.
    /// - Returns: the applied rows, without those that `OlderRowRules` exclude.
    @discardableResult
    func apply(
        _ rows: [RemoteRecord], gone: [String] = [], of className: String
    ) async throws(SyncError) -> [RemoteRecord] {
        let records = try await applicableRows(rows, of: className)
        let tally = try await context.store { store in
            try await store.apply(records, gone: gone, of: className)
        }
        context.reporter.note(tally, of: className)
        return records
    }

    /// Applies only the rows that are older than the local copy, and the rows of objects that wait for a decision.
    /// Pulls and audits apply the other rows, and count them in the summary.
    func applyOlder(_ rows: [RemoteRecord], of className: String) async throws(SyncError) {
        let living = rows.filter { !context.classes.isDeleted($0) }
        if living.isEmpty { return }
        let older = try await context.store { try await $0.objectsNewer(than: living, of: className) }
        try await apply(living.filter { older[$0.objectId] != nil }, of: className)
    }

    /// Selects the rows to apply, by the verdicts of `OlderRowRules`. Objects with the verdict `lost` begin to wait for
    /// a user's decision. Objects with `wait` are noted, so that a later sync reads them again. Objects with `release`
    /// and `applyRestored` wait on until the store applies their rows: the rows may have been read only for a
    /// comparison.
    func applicableRows(_ records: [RemoteRecord], of className: String) async throws(SyncError) -> [RemoteRecord] {
        let known = try await context.store { try await $0.objectsNewer(than: records, of: className) }
        guard !known.isEmpty else { return records }
        var applicable: [RemoteRecord] = []
        var (lost, waiting): ([LostObject], [String]) = ([], [])
        for record in records {
            guard let object = known[record.objectId] else {
                applicable.append(record)
                continue
            }
            switch OlderRowRules.judge(object, against: record, circumstances) {
            case .apply, .release: applicable.append(record)
            case .applyRestored:
                context.olderRows.noteRestored()
                applicable.append(record)
            case .lost: lost.append(LostObject(objectId: record.objectId, row: record))
            case .wait: waiting.append(record.objectId)
            }
        }
        let held = lost
        if !held.isEmpty {
            let reverted = held.filter { known[$0.objectId]?.isReverted != true }
            if !reverted.isEmpty {
                context.logger.warning(
                    "\(className): the remote shows an older state of \(reverted.count.counted("object"))")
            }
            try await hold(held, of: className)
        }
        if !waiting.isEmpty {
            // The store records the objects before the cursor passes their rows: after a crash, no other pull would
            // show the rows.
            let (unseen, now) = (waiting, try await context.remote.serverNow())
            try await context.store { try await $0.noteOlderRows(of: unseen, of: className, at: now) }
        }
        context.olderRows.noteUnseen(waiting, of: className)
        return applicable
    }

    /// Records that the remote seems to be a restored backup. The objects that the remote lacks, or has in an older
    /// state, are kept until a user decides.
    func hold(_ lost: [LostObject], of className: String) async throws(SyncError) {
        context.olderRows.noteRestored()
        try await context.store { try await $0.holdLost(lost, of: className, because: .restoredBackup) }
    }

    /// The facts by which `OlderRowRules` decides now.
    var circumstances: OlderRowRules.Circumstances {
        OlderRowRules.Circumstances(
            serverTime: context.remote.earliestServerTime, lateStampMax: context.options.lateStampMax,
            looksMin: context.options.unseenLooksMin, lookingTime: context.options.unseenTime,
            isRestored: context.olderRows.isRestored)
    }
}
