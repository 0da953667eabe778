import ParseModel
import RemoteService
import SyncModel

/// Push: the outbox in batches, each read anew just before it is sent, frozen on disk, sent, and settled.
extension SyncRun {
    /// How much of the outbox is looked at until a batch is full.
    private static let windowMax = 256

    /// - Returns: the classes that something was sent of.
    mutating func push() async throws(SyncError) -> Set<String> {
        var classes: Set<String> = []
        // Creates without pointers fill a batch at once: reading 256 of them for each was 17% of their push.
        let batchMax = remote.capabilities.batchMax
        var window = batchMax
        // What had its try and waits all the same stands before the rest.
        var stillWaiting = 0
        while true {
            let limit = window + stillWaiting
            let waiting = try await stored { try await $0.outbox(limit: limit) }
            let entries = try await withoutWhatIsTooEarly(waiting.filter { !tried.contains($0.id) })
            stillWaiting = waiting.count - entries.count
            switch PushPlanner.plan(entries, batchMax: batchMax) {
            case .send(let batch) where batch.count < batchMax && waiting.count == limit && window < Self.windowMax:
                window *= 2
            case .send(let batch):
                tried.formUnion(batch.map(\.id))
                classes.formUnion(batch.map(\.className))
                try await send(batch)
                report(SyncProgress(phase: .push, className: batch[0].className, done: tried.count, total: pushTotal))
            case .breakCycle(let entry, let fields):
                try await stored { try await $0.split(entry, deferring: fields) }
            case .nothing:
                guard waiting.count == limit else { return classes }
                window *= 2
            }
        }
    }

    private mutating func send(_ batch: [OutboxEntry]) async throws(SyncError) {
        let taken = try await refuseWhatCannotBeTaken(batch)
        let waiting = try await rereadTargets(of: taken)
        var batch = taken.filter { !waiting.contains($0.id) }
        guard !batch.isEmpty else { return }
        let sendsObjectId = try await chosenIdsAccepted(for: batch)
        if !sendsObjectId {
            batch = try await withoutRemakes(batch)
            guard !batch.isEmpty else { return }
        }
        let serverTime = try await serverNow()
        if isHalted() { throw .halted }
        let marked = batch.map { entry in
            var entry = entry
            // The object of an earlier request of the same create has no mark if that request left none.
            if entry.step.kind == .create, entry.step.wasAttempted, entry.markedIn == nil { return entry }
            entry.markedIn = opField(of: entry).flatMap { operationIds.marks(entry, in: $0) ? $0 : nil }
            return entry
        }
        let frozen = try await stored { try await $0.freeze(marked, at: serverTime) }
        // What somebody has changed in the meantime is planned anew, in this run.
        tried.subtract(Set(batch.map(\.id)).subtracting(frozen.map(\.id)))
        guard !frozen.isEmpty else { return }
        await tidy(frozen)
        let attemptedBefore = Set(batch.lazy.filter(\.step.wasAttempted).map(\.id))
        let operations = frozen.map {
            operation($0, sendsObjectId: sendsObjectId, wasAttempted: attemptedBefore.contains($0.id))
        }
        let outcomes = await remote.push(operations)
        if outcomes.contains(where: \.isFromTheRemote) { hasAnswered() }
        answered = Set(zip(frozen, outcomes).lazy.filter { $1.isAnswer }.map(\.0.id))
        try await settle(frozen, outcomes, attemptedBefore: attemptedBefore)
    }

    /// The entry in the form in which its class wants it.
    /// - Parameter wasAttempted: before; the entry itself says so since it was frozen.
    private func operation(_ entry: OutboxEntry, sendsObjectId: Bool, wasAttempted: Bool) -> PushOperation {
        var step = entry.step
        if step.kind == .delete, let deletedField = options(of: entry.className).deletedField {
            step.kind = .update
            step.operations[deletedField] = .set(true)
        } else if let opField = opField(of: entry) {
            step.operations = operationIds.marked(entry, in: opField)
        }
        var base = entry.base.map {
            RemoteRecord(className: entry.className, objectId: entry.objectId, state: $0)
        }
        var kind: PushOperation.Kind =
            switch step.kind {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        // Made again where its predecessor is only marked as deleted, the object stays the same one.
        if kind == .create, let row = marked[entry.pointer],
            let deletedField = options(of: entry.className).deletedField
        {
            kind = .update
            base = row
            step.operations[deletedField] = .set(false)
        }
        let merged = Replay.view(base: entry.base, steps: [step], className: entry.className)
        return PushOperation(
            kind: kind, className: entry.className, objectId: entry.objectId, operations: step.operations,
            sendsObjectId: sendsObjectId && kind == .create, base: base, merged: merged?.fields,
            wasAttempted: wasAttempted, requestId: entry.requestId)
    }

    /// Where each request of an object leaves an id behind, the old ones go now and then. What becomes of that request
    /// matters little: it may be repeated, and the next one will.
    private mutating func tidy(_ entries: [OutboxEntry]) async {
        let operations = entries.compactMap { entry in
            opField(of: entry).flatMap {
                operationIds.tidying(entry, in: $0, requestId: environment.requestId())
            }
        }
        guard !operations.isEmpty else { return }
        _ = await remote.push(operations)
    }

    /// A remote that fails for ever on some values is not asked to take them.
    private mutating func refuseWhatCannotBeTaken(_ batch: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        guard remote.capabilities.values == .scalars else { return batch }
        let refused = batch.filter { $0.step.operations.hasNestedValues }
        guard !refused.isEmpty else { return batch }
        let settlements = refused.map {
            (
                entry: $0,
                Settlement.rejected(
                    code: ParseError.Code.incorrectType.rawValue,
                    message: "The remote takes neither arrays nor objects.")
            )
        }
        try await settle(settlements)
        return batch.filter { !$0.step.operations.hasNestedValues }
    }

    /// Another device's edits since the pull are seen here, in the last moment before ours goes out. A remote that compares
    /// versions sees them itself, where we know one.
    /// - Returns: entries that wait for a later sync: their targets could not be read, or seem gone with too many others.
    private mutating func rereadTargets(of batch: [OutboxEntry]) async throws(SyncError) -> Set<Int64> {
        let unseen = batch.filter(isReread)
        var targets = Dictionary(grouping: unseen, by: \.className).sorted { $0.key > $1.key }
        var waiting: Set<Int64> = []
        while let (className, entries) = targets.popLast() {
            let ids = entries.map(\.objectId)
            do {
                let isNew = entries.allSatisfy { $0.base == nil }
                let rows = isNew ? try await askedFor(ids, of: className) : try await rows(className, ids)
                let records = rows.filter { !isDeleted($0) }
                for row in rows where isDeleted(row) && !row.isDeleted {
                    marked[Pointer(className: className, objectId: row.objectId)] = row
                }
                let present = Set(records.map(\.objectId))
                let news = Set(try await applyNews(records, of: className).map(\.objectId))
                // On top of an older row than is known here, a change would undo the lacking edits for good.
                waiting.formUnion(
                    entries.filter {
                        present.contains($0.objectId) && !news.contains($0.objectId) && !$0.endsInDelete
                    }.map(\.id))
                // A deletion goes out all the same: only an answer to it says that nothing is left to delete.
                let gone = entries.filter {
                    $0.base != nil && !present.contains($0.objectId) && !$0.endsInDelete && !$0.isHidden
                }.map(\.objectId)
                guard !gone.isEmpty else { continue }
                try await remove(gone, of: className)
                let held = try await stored { try await $0.heldRemoval(of: gone, in: className) }
                waiting.formUnion(entries.filter { held.contains($0.objectId) && !$0.endsInDelete }.map(\.id))
            } catch {
                switch error {
                // What may be written and not read is sent as it is.
                case .refused: continue
                // A row that is too much keeps none but its own changes waiting.
                case .unusable(_, isTooMuch: true) where entries.count > 1:
                    targets += entries.reversed().map { (key: className, value: [$0]) }
                case .unusable, .foreign:
                    waiting.formUnion(entries.map(\.id))
                    warn("Changes of \(className) cannot be sent: \(error.message)")
                default: throw error
                }
            }
        }
        return waiting
    }

    private func isReread(_ entry: OutboxEntry) -> Bool {
        if let base = entry.base { return !(remote.capabilities.hasConditionalWrites && base.version != nil) }
        // Only there may the row of an object that is made again still be.
        return entry.step.kind == .create && options(of: entry.className).deletedField != nil
    }

    private mutating func chosenIdsAccepted(for entries: [OutboxEntry]) async throws(SyncError) -> Bool {
        guard let create = entries.first(where: { $0.step.kind == .create }) else { return true }
        switch remote.capabilities.chosenIds {
        case .always: return true
        case .never: return false
        case .dependsOnSettings: break
        }
        if let known = try await stored({ try await $0.remoteAcceptsChosenIds() }) { return known }
        do {
            let className = create.className
            let accepts = try await asked { remote throws(RemoteError) in
                try await remote.acceptsChosenIds(in: className)
            }
            try await stored { try await $0.setRemoteAcceptsChosenIds(accepts) }
            return accepts
        } catch .refused {
            // The probe itself is not allowed: without a chosen id a create works everywhere.
            return false
        }
    }

    /// At most so late is it there; nil before it has told its time.
    var latestServerTime: ParseDate? { serverClock.latest(uptime: environment.uptime()) }

    /// The server's time, from its last answer or from a new one: it is at least so late there.
    mutating func serverNow() async throws(SyncError) -> ParseDate {
        if let now = serverClock.earliest(uptime: environment.uptime()) { return now }
        let serverTime = try await asked { remote throws(RemoteError) in try await remote.serverTime() }
        serverClock.note(serverTime, asked: askedAt, answered: environment.uptime())
        return serverTime
    }
}

extension FieldOperations {
    /// Whether it takes a remote that knows arrays or objects to carry them out.
    fileprivate var hasNestedValues: Bool {
        fields.contains { field in
            switch self[field] {
            // A date is one value, whatever Parse's JSON makes of it.
            case .set(.object(let object)): object["__type"] != "Date"
            case .set(.array), .add, .addUnique, .remove, .relation: true
            default: false
            }
        }
    }
}
