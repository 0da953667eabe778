import ParseModel
import RemoteService
import SyncModel

/// Reads the remote rows of a batch's objects just before the batch is sent, so that the batch does not overwrite edits
/// that other clients have made since the pull. With conditional writes, the remote itself detects such edits. An
/// object is then not read if the version of its last known remote state is known.
struct TargetReading {
    struct Targets {
        /// The changes that are not sent in this sync. Some wait, because their object could not be read, because the
        /// remote row is older than the local copy, or because the object waits for a user's decision. The others are
        /// done: the read has shown that an earlier request was executed.
        var unsent: Set<Int64> = []
        /// The remote rows of the batch's objects, if these rows are marked as deleted.
        var markedRows: [Pointer: RemoteRecord] = [:]
    }

    private let context: SyncContext
    private let lookup: ObjectLookup

    init(_ context: SyncContext) {
        self.context = context
        lookup = ObjectLookup(context)
    }

    func read(_ batch: [OutboxEntry]) async throws(SyncError) -> Targets {
        var targets = Dictionary(grouping: batch.filter(isRead), by: \.className).sorted { $0.key > $1.key }
        var result = Targets()
        while let (className, entries) = targets.popLast() {
            do {
                try await read(entries, of: className, &result)
            } catch {
                switch error {
                // Changes of objects that are writable but not readable are sent without a read.
                case .refused: continue
                // Reads the objects one by one, so that an object whose row is above the size limit delays only its own changes.
                case .unusable(_, isTooMuch: true) where entries.count > 1:
                    targets += entries.reversed().map { (key: className, value: [$0]) }
                case .unusable, .foreign, .classUnauthorized:
                    result.unsent.formUnion(entries.map(\.id))
                    context.reporter.warn("Changes of \(className) cannot be sent: \(error.message)")
                default: throw error
                }
            }
        }
        return result
    }

    private func isRead(_ entry: OutboxEntry) -> Bool {
        if let base = entry.base {
            return !(context.remote.capabilities(of: entry.className).hasConditionalWrites && base.version != nil)
        }
        switch entry.step.kind {
        // If an object is created again, its old row may still exist, marked as deleted.
        case .create: return context.classes.options(of: entry.className).deletedField != nil
        // The create of the object got no answer with the row, and another client may have edited the object before
        // this deletion.
        case .delete: return true
        case .update: return false
        }
    }

    private func read(
        _ entries: [OutboxEntry], of className: String, _ result: inout Targets
    ) async throws(SyncError) {
        let ids = entries.map(\.objectId)
        let isNew = entries.allSatisfy { $0.base == nil }
        let rows = isNew ? try await lookup.ask(for: ids, of: className) : try await lookup.rows(className, ids)
        let records = rows.filter { !context.classes.isDeleted($0) }
        for row in rows where context.classes.isDeleted(row) && !row.isDeleted {
            result.markedRows[Pointer(className: className, objectId: row.objectId)] = row
        }
        try await settleDeleted(entries, rows, &result)
        let present = Set(records.map(\.objectId))
        let applied = Set(try await RowIntake(context).apply(records, of: className).map(\.objectId))
        // These entries wait, because the remote row is older than the local copy, or because the object waits for a
        // decision about an older row. If the change were sent, the edits that the row lacks would be lost for good. A
        // deletion waits only while the row may have a newer edit: an edit that was committed after the acknowledged
        // one can have an earlier timestamp.
        let unseen = context.olderRows.unseen(of: className)
        result.unsent.formUnion(
            entries.filter { entry in
                present.contains(entry.objectId) && !applied.contains(entry.objectId)
                    && (!entry.endsInDelete || unseen.contains(entry.objectId))
            }.map(\.id))
        // A list may lag by a few seconds. It then lacks an object that has just been created, and later edits by other
        // clients, so changes of such an object wait. Objects with an ACL that is not public do not wait, because a
        // list may never contain them.
        let now = try await context.remote.serverNow()
        result.unsent.formUnion(
            entries.filter { entry in
                entry.isUnshown && !present.contains(entry.objectId)
                    && entry.base.map { $0.isPublic && $0.updatedAt + context.options.overlap > now } == true
            }.map(\.id))
        // Deletions are sent even if the object is missing: only the answer to the deletion proves that the object does
        // not exist. An object does not count as missing if an ACL may hide it.
        let gone = entries.filter {
            $0.base != nil && !present.contains($0.objectId) && !$0.endsInDelete && !context.mayBeInvisible($0)
        }.map(\.objectId)
        guard !gone.isEmpty else { return }
        try await Removals(context).remove(gone, of: className)
        let held = try await context.store { try await $0.heldRemoval(of: gone, in: className) }
        result.unsent.formUnion(entries.filter { held.contains($0.objectId) && !$0.endsInDelete }.map(\.id))
    }

    /// Settles each create whose object an earlier request has made and another client has deleted since. Sending the
    /// create again would undo the deletion.
    private func settleDeleted(
        _ entries: [OutboxEntry], _ rows: [RemoteRecord], _ result: inout Targets
    ) async throws(SyncError) {
        let operationIds = OperationIds(context, entries.first?.className ?? "")
        let deleted = rows.filter(context.classes.isDeleted)
        let settlements = entries.compactMap { entry -> (entry: OutboxEntry, Settlement)? in
            guard entry.step.kind == .create, let tombstone = deleted.first(where: { $0.objectId == entry.objectId }),
                operationIds.sentCreate(entry).hasProduced(tombstone)
            else { return nil }
            return (entry, .proven(tombstone))
        }
        guard let className = entries.first?.className, !settlements.isEmpty else { return }
        try await SettlementWriter(context).settle(settlements)
        result.unsent.formUnion(settlements.map(\.entry.id))
        try await Removals(context).remove(settlements.map(\.entry.objectId), of: className)
    }
}
