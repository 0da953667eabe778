import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Takes rows of the remote into the store. A row older than its base is held back or waited for: a remote that was restored
/// from an older backup shows edited objects as they were before. One such row proves it; from then on no missing object counts
/// as deleted and no older row becomes a base, until a person decides.
struct RowIntake {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Takes in rows that were read outside of a pull.
    /// - Parameter gone: objects that were looked for and do not exist.
    /// - Returns: the rows that were taken in.
    @discardableResult
    func apply(
        _ rows: [RemoteRecord], gone: [String] = [], of className: String
    ) async throws(SyncError) -> [RemoteRecord] {
        let records = try await news(rows, of: className)
        let tally = try await context.store { store in
            try await store.apply(records, gone: gone, of: className)
        }
        context.reporter.note(tally, of: className)
        return records
    }

    /// Separates the rows that may be taken in. Older rows of lost objects are held back, older rows of acknowledged edits are
    /// waited for.
    /// - Returns: the rows that may be taken in.
    func news(_ records: [RemoteRecord], of className: String) async throws(SyncError) -> [RemoteRecord] {
        let known = try await context.store { try await $0.objectsNewer(than: records, of: className) }
        guard !known.isEmpty else { return records }
        var news: [RemoteRecord] = []
        var (lost, released, waiting): ([LostObject], [String], [String]) = ([], [], [])
        for record in records {
            guard let object = known[record.objectId] else {
                news.append(record)
                continue
            }
            switch OlderRowRules.judge(object, against: record, circumstances) {
            case .apply: news.append(record)
            case .release:
                news.append(record)
                released.append(record.objectId)
            case .lost: lost.append(LostObject(objectId: record.objectId, row: record))
            case .wait: waiting.append(record.objectId)
            }
        }
        let (answered, held) = (released, lost)
        if !answered.isEmpty { try await context.store { try await $0.releaseLost(answered, of: className) } }
        if !held.isEmpty {
            let reverted = held.filter { known[$0.objectId]?.isReverted != true }
            if !reverted.isEmpty {
                context.logger.warning(
                    "\(className): the remote shows an older state of \(reverted.count.counted("object"))")
            }
            try await hold(held, of: className)
        }
        context.olderRows.noteUnseen(waiting, of: className)
        return news
    }

    /// Holds objects back that a restored remote lacks or shows in an older state, until a person decides.
    func hold(_ lost: [LostObject], of className: String) async throws(SyncError) {
        context.olderRows.noteRestored()
        try await context.store { try await $0.holdLost(lost, of: className, because: .restoredBackup) }
    }

    /// What the rules for older rows have to know about this moment.
    var circumstances: OlderRowRules.Circumstances {
        OlderRowRules.Circumstances(
            serverTime: context.remote.earliestServerTime, lateStampMax: context.options.lateStampMax,
            looksMin: context.options.unseenLooksMin, lookingTime: context.options.unseenTime,
            isRestored: context.olderRows.isRestored)
    }
}
