import ParseModel
import RemoteService
import SyncModel

/// Chooses the pending changes (outbox entries) of the next group: one batch, or several batches that are in flight at
/// the same time. Has no side effects.
///
/// A server executes the operations of a batch concurrently. A group therefore contains at most one operation for an
/// object, and never an object together with the target of one of its pointers.
enum PushPlanner {
    enum Plan: Sendable, Hashable {
        /// `isFull` says that more entries would not make the group larger.
        case send([OutboxEntry], isFull: Bool)
        /// New objects point to each other in a cycle. The object of this entry is created first, without the fields in
        /// `deferring`.
        case breakCycle(OutboxEntry, deferring: [String])
        /// No entry can be sent now. Each entry in the list waits, directly or through other entries, for the create of an object
        /// outside the list.
        case nothing
    }

    /// How reliably a read determines the outcome of a request whose answer was lost.
    enum ProofByRead: Int, Sendable, Hashable {
        /// A read may not show whether the request was executed. A user may then have to decide.
        case none
        /// The remote chooses the id of the create, and a search finds the object. If several equal objects are found,
        /// a user has to decide.
        case likely
        case certain

        /// The maximum number of batches with entries of this kind that are in flight at the same time. One lost
        /// connection can lose the answers of all of them.
        fileprivate func batchesMax(_ batchesMax: Int) -> Int {
            switch self {
            case .none: 1
            case .likely: min(2, batchesMax)
            case .certain: batchesMax
            }
        }
    }

    /// Plans the next group.
    /// - Parameters:
    ///   - entries: the first pending change of each object, in the order of writes.
    ///   - batchesMax: the maximum number of batches that are in flight at the same time. Entries whose outcome a read
    ///     cannot surely find out are sent in fewer batches.
    static func plan(
        _ entries: [OutboxEntry], batchMax: Int, batchesMax: Int, proof: (OutboxEntry) -> ProofByRead
    ) -> Plan {
        let ready = entries.filter { $0.awaits.isEmpty }
        guard let first = ready.first else { return cycle(in: entries) }
        // An entry that was sent before is sent alone, so that an error clearly concerns this entry.
        if first.step.wasAttempted { return .send([first], isFull: true) }
        let unsent = ready.filter { !$0.step.wasAttempted }
        for weakest in [ProofByRead.certain, .likely] where weakest.batchesMax(batchesMax) > 1 {
            // The group ends before the first entry with a weaker proof, so that only few later entries overtake this
            // entry.
            let provable = Array(unsent.prefix { proof($0).rawValue >= weakest.rawValue })
            let groupMax = batchMax * weakest.batchesMax(batchesMax)
            let group = independent(provable, max: groupMax)
            let isFull = group.count == groupMax || provable.count < unsent.count
            if group.count >= batchMax { return .send(group, isFull: isFull) }
        }
        let batch = independent(unsent, max: batchMax)
        return .send(batch, isFull: batch.count == batchMax)
    }

    private static func independent(_ entries: [OutboxEntry], max: Int) -> [OutboxEntry] {
        var batch: [OutboxEntry] = []
        var objects: Set<Pointer> = []
        var targets: Set<Pointer> = []
        for entry in entries where batch.count < max {
            let pointers = entry.step.operations.pointers
            if targets.contains(entry.pointer) || pointers.contains(where: objects.contains) { continue }
            batch.append(entry)
            objects.insert(entry.pointer)
            targets.formUnion(pointers)
        }
        return batch
    }

    /// Breaks a cycle of new objects that point to each other.
    /// - Returns: `breakCycle` or `nothing`.
    static func cycle(in entries: [OutboxEntry]) -> Plan {
        let creates = Dictionary(
            entries.filter { $0.step.kind == .create }.map { ($0.pointer, $0) }, uniquingKeysWith: { first, _ in first }
        )
        for start in entries where start.step.kind == .create {
            var reached: Set<Pointer> = []
            var open = Array(start.awaits)
            while let next = open.popLast() {
                guard reached.insert(next).inserted, let entry = creates[next] else { continue }
                open += entry.awaits
            }
            guard reached.contains(start.pointer) else { continue }
            let ids = Set(start.awaits.map(\.objectId))
            let fields = start.step.operations.fields.filter { field in
                // A text in a field of `ClassOptions.idFields` names an object, like a pointer.
                guard let value = start.step.operations[field]?.json else { return false }
                return value.pointers.contains(where: start.awaits.contains) || value.hasText(among: ids)
            }
            if !fields.isEmpty { return .breakCycle(start, deferring: fields) }
        }
        return .nothing
    }
}
