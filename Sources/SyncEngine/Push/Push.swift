import ParseModel
import RemoteService
import SyncModel

/// Sends the pending changes (outbox entries) in groups. A group is one batch, or several batches at the same time. For
/// each group: reads the remote rows of the changed objects where `TargetReading` requires it, marks the entries as in
/// flight on disk, sends them, and stores the outcomes.
struct Push {
    /// The number of entries that are read to fill one group. If all of them must wait, more entries are read.
    private static let windowMax = 256

    private let context: SyncContext
    private let pulled: PulledState

    /// - Parameter pulled: the results of the pulls before this push.
    init(_ context: SyncContext, after pulled: PulledState) {
        self.context = context
        self.pulled = pulled
    }

    private var store: StoreCalls { context.store }

    /// Sends all entries that may be sent.
    /// - Returns: the classes of the entries that were tried.
    func run(_ progress: inout PushProgress) async throws(SyncError) -> Set<String> {
        var classes: Set<String> = []
        // The window is the number of untried entries that are read to fill a group. It begins with `batchMax`, which
        // suffices for one batch of creates without pointers, and doubles if a group is not full. A fixed window of 256
        // entries took 17% of the time of a push in single batches.
        var window = context.remote.batchMax
        // The number of entries in the latest read of the outbox that cannot be sent now: they were tried in this sync, belong to a
        // refused class, or wait for the end of a grace period. The next read may return them again, so its limit is raised by their number.
        var stillWaiting = 0
        while true {
            // The remote may have refused a larger batch since the last group.
            let batchMax = context.remote.batchMax
            let limit = window + stillWaiting
            let waiting = try await store { try await $0.outbox(limit: limit) }
            let untried = waiting.filter {
                !progress.tried.contains($0.id) && progress.refusedClasses[$0.className] == nil
            }
            let entries = try await GracePeriod(context).entriesPastGracePeriod(untried)
            stillWaiting = waiting.count - entries.count
            let accepting = try await ChosenIds(context).classesKnownToAccept(entries)
            // After a lost connection, only one batch is sent at a time, so that another loss leaves few entries
            // without a known outcome.
            let batchesMax = progress.interruptions == 0 ? context.remote.batchesMax : 1
            let opFields = progress.opFields
            let plan = PushPlanner.plan(entries, batchMax: batchMax, batchesMax: batchesMax) {
                proof(of: $0, accepting, opFields)
            }
            switch plan {
            case .send(_, isFull: false) where waiting.count == limit && window < Self.windowMax: window *= 2
            case .send(let batch, _):
                progress.tried.formUnion(batch.map(\.id))
                classes.formUnion(batch.map(\.className))
                try await send(batch, &progress)
                context.reporter.progress(
                    .push, of: batch[0].className, done: progress.tried.count, total: progress.total)
            case .breakCycle(let entry, let fields):
                try await store { try await $0.split(entry, deferring: fields) }
            case .nothing:
                guard waiting.count == limit else { return classes }
                window *= 2
            }
        }
    }

    /// How well a read can find out whether the entry's request was executed, if its answer is lost. Changes of a
    /// relation's members cannot be found out, and are sent again.
    private func proof(
        of entry: OutboxEntry, _ accepting: Set<String>, _ opFields: OpFields
    ) -> PushPlanner.ProofByRead {
        if opFields.marked(entry, context).markedIn != nil { return .certain }
        switch entry.step.kind {
        case .create:
            guard !entry.step.idMayBeTaken else { return .none }
            return accepting.contains(entry.className) ? .certain : .likely
        case .update: return entry.step.operations.isIdempotent ? .certain : .none
        case .delete: return .certain
        }
    }

    private func send(_ planned: [OutboxEntry], _ progress: inout PushProgress) async throws(SyncError) {
        let supported = try await rejectUnsupportedValues(planned)
        let targets = try await TargetReading(context).read(supported)
        progress.markedRows.merge(targets.markedRows) { $1 }
        var batch = supported.filter { !targets.unsent.contains($0.id) }
        guard !batch.isEmpty else { return }
        let accepting = try await ChosenIds(context).classesAccepting(batch, besides: &progress.idProbesRefused)
        batch = try await Remakes(context, pulled).settle(batch, besides: accepting)
        guard !batch.isEmpty else { return }
        let serverTime = try await context.remote.serverNow()
        try context.remote.requireNotHalted()
        let marked = batch.map { progress.opFields.marked($0, context) }
        let frozen = try await store { try await $0.freeze(marked, at: serverTime) }
        // `freeze` leaves out entries that a client has just changed. These entries are planned again in this sync.
        progress.tried.subtract(Set(batch.map(\.id)).subtracting(frozen.map(\.id)))
        guard !frozen.isEmpty else { return }
        await removeOldMarks(frozen, progress.opFields)
        let attemptedBefore = Set(batch.lazy.filter(\.step.wasAttempted).map(\.id))
        let operations = frozen.map { entry in
            OperationForm(
                options: context.classes.options(of: entry.className),
                opField: progress.opFields.field(of: entry, context),
                operationIds: OperationIds(context, entry.className),
                markedRow: progress.markedRows[entry.pointer]
            ).operation(
                entry, sendsObjectId: accepting.contains(entry.className),
                wasAttempted: attemptedBefore.contains(entry.id))
        }
        let outcomes = await context.remote.push(operations)
        progress.answered = Set(zip(frozen, outcomes).lazy.filter { $1.isAnswer }.map(\.0.id))
        var settling = PushSettling(context)
        try await settling.settle(frozen, outcomes, attemptedBefore: attemptedBefore, &progress)
    }

    /// Rejects changes of objects with values that the remote can never store. A new local write of such a value is
    /// refused at once, so these changes are older than the present mapping of their class.
    /// - Returns: the other changes.
    private func rejectUnsupportedValues(_ batch: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        var mappings: [String: ClassMapping] = [:]
        var refused: [(entry: OutboxEntry, Settlement)] = []
        for entry in batch where context.remote.capabilities(of: entry.className).values != .any {
            let name = entry.className
            guard let merged = Replay.view(base: entry.base, steps: [entry.step], className: name) else { continue }
            // Reads the current mapping of the class: a local write since the start of the phase may have added a type
            // to it.
            let mapping: ClassMapping
            if let known = mappings[name] {
                mapping = known
            } else {
                mapping = try await store { try await $0.mapping(of: name) }
                mappings[name] = mapping
            }
            let written = entry.step.operations.fields.compactMap { field in merged.fields[field].map { (field, $0) } }
            guard let refusal = context.remote.refusal(of: JSONObject(written), in: name, mapping: mapping) else {
                continue
            }
            refused.append((entry, .rejected(code: refusal.code.rawValue, message: refusal.message)))
        }
        guard !refused.isEmpty else { return batch }
        try await SettlementWriter(context).settle(refused)
        let ids = Set(refused.map(\.entry.id))
        return batch.filter { !ids.contains($0.id) }
    }

    /// Removes this replica's old operation ids (ids of executed changes) from objects that have many of them. If the
    /// request fails, a later one removes them.
    private func removeOldMarks(_ entries: [OutboxEntry], _ opFields: OpFields) async {
        let operations = entries.compactMap { entry in
            opFields.field(of: entry, context).flatMap {
                OperationIds(context, entry.className).cleanup(
                    entry, in: $0, requestId: context.environment.requestId())
            }
        }
        guard !operations.isEmpty else { return }
        _ = await context.remote.push(operations)
    }
}
