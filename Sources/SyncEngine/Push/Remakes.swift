import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Handles objects that were deleted on the remote and that this replica is to create again. If the remote chooses the
/// ids, two replicas could each create such an object. Before this replica sends its create, it therefore searches the
/// remote for an object that another replica has created in place of the deleted one.
struct Remakes {
    /// The maximum number of local rows of a class that are compared with the objects to be created again.
    private static let rowsMax = 1000

    private let context: SyncContext
    private let pulled: PulledState

    init(_ context: SyncContext, _ pulled: PulledState) {
        self.context = context
        self.pulled = pulled
    }

    /// Settles each create whose object another replica has already created again: the object is adopted. If the match
    /// is not certain, a conflict opens.
    /// - Parameter accepting: the classes that accept ids chosen by this gateway. In these classes, no object can be
    ///   created twice.
    /// - Returns: the entries that must still be sent.
    func settle(_ batch: [OutboxEntry], besides accepting: Set<String>) async throws(SyncError) -> [OutboxEntry] {
        var settlements: [(entry: OutboxEntry, Settlement)] = []
        let recreates = batch.filter { isUnsentRecreate($0) && !accepting.contains($0.className) }
        let again = Dictionary(grouping: recreates, by: \.className)
        for (className, entries) in again.sorted(by: { $0.key < $1.key }) {
            settlements += try await remakes(of: entries, in: className)
        }
        guard !settlements.isEmpty else { return batch }
        try await SettlementWriter(context).settle(settlements)
        let settled = Set(settlements.map(\.entry.id))
        return batch.filter { !settled.contains($0.id) }
    }

    private func isUnsentRecreate(_ entry: OutboxEntry) -> Bool {
        // In a class with a `deletedField`, an object that is created again keeps its old row and id, so that no second
        // object can exist.
        entry.step.kind == .create && entry.step.isRecreate && (entry.attempts == 0 || !entry.step.wasAttempted)
            && context.classes.options(of: entry.className).deletedField == nil
    }

    private func remakes(
        of entries: [OutboxEntry], in className: String
    ) async throws(SyncError) -> [(entry: OutboxEntry, Settlement)] {
        let standing = try await context.store { try await $0.remakes(of: entries, max: Self.rowsMax) }
        let unpulled = try await unpulled(className, since: entries.map(standing.since).min())
        let known = Set(standing.known.map(\.objectId))
        var rows = standing.known + unpulled.filter { !known.contains($0.objectId) }
        guard !rows.isEmpty else { return [] }
        let newIds = Set(unpulled.map(\.objectId)).subtracting(known)
        let sample = try await sample(of: className, besides: Set(rows.map(\.objectId) + entries.map(\.objectId)))
        var settlements: [(entry: OutboxEntry, Settlement)] = []
        for entry in entries {
            let likely = Self.likely(entry, standing, among: rows, besides: sample)
            guard !likely.isEmpty else { continue }
            let others = try await context.store { try await $0.standing(of: likely.map(\.objectId), for: entry) }
            let open = likely.filter { row in
                // Leaves out rows that a user has declared to be other objects (`refused`). Also leaves out rows that
                // this gateway has created: they belong to local objects, although no pull may have shown them yet.
                !others.refused.contains(row.objectId)
                    && !(newIds.contains(row.objectId) && others.excluded.contains(row.objectId))
            }
            guard let row = open.first(where: { !others.asked.contains($0.objectId) }) ?? open.first else { continue }
            rows.removeAll { $0.objectId == row.objectId }
            if ProofRules.holds(row, of: entry), !others.asked.contains(row.objectId) {
                settlements.append((entry, .recreatedElsewhere(row)))
            } else {
                let rest = open.map(\.objectId).filter { $0 != row.objectId }.prefix(CreateSearch.candidatesMax)
                settlements.append((entry, .conflict(.ambiguousCreate, remote: row, others: Array(rest))))
            }
        }
        return settlements
    }

    /// The local states of the newest objects of the class, without the excluded objects. They serve to estimate how
    /// rare values are.
    private func sample(of className: String, besides objectIds: Set<String>) async throws(SyncError) -> [JSONObject] {
        try await context.store { try await $0.sample(of: className, besides: "", max: CandidateRules.sampleMax) }
            .filter { $0["objectId"]?.string.map(objectIds.contains) != true }
    }

    /// Reads the objects that were recently created on the remote. The pulls may not have shown all of them.
    /// - Parameter since: the earliest time at which another replica may have created an object of the batch again.
    /// - Returns: empty if the remote refuses the list, or if `since` is nil.
    private func unpulled(
        _ className: String, since: ParseDate?
    ) async throws(SyncError) -> [RemoteRecord] {
        guard let since else { return [] }
        // A pull of the whole class has shown all older objects, so the list begins at the start of this pull, less the overlap.
        // Without such a pull, objects may be missing locally, so the list begins at `since`.
        let isPulledWhole = context.classes[className]?.pulls.contains { $0.pull.isWholeClass } == true
        let pulledAt = pulled.began(of: className) ?? pulled.knownBefore[className]
        let begin = isPulledWhole ? pulledAt.map { max($0 - context.options.overlap, since) } ?? since : since
        do {
            return try await context.remote.ask { remote throws(RemoteError) in
                try await remote.created(in: className, since: begin)
            }.filter { !context.classes.isDeleted($0) }
        } catch {
            if case .refused = error { return [] }
            throw error
        }
    }

    /// The rows that another replica may have created in place of the entry's deleted object, most likely first:
    /// - rows with every value that the entry would send
    /// - rows that resemble the last known remote state of the deleted object
    /// - rows that resemble this state without the fields that have changed locally
    /// `CandidateRules.remakes` decides which rows resemble a state.
    private static func likely(
        _ entry: OutboxEntry, _ standing: RemakeStanding, among rows: [RemoteRecord], besides sample: [JSONObject]
    ) -> [RemoteRecord] {
        let sent = Replay.view(base: nil, steps: [entry.step], className: entry.className)?.fields ?? JSONObject()
        let before = standing.ancestors[entry.id]?.fields ?? sent
        var unchanged = before
        unchanged.removeAll { before[$0] != sent[$0] }
        let since = standing.since(entry)
        let rows = rows.filter { $0.createdAt >= since && $0.objectId != entry.objectId }
        var likely = rows.filter { ProofRules.holds($0, of: entry) }
        for fields in [before, unchanged] where !fields.isEmpty {
            likely += CandidateRules(
                sent: fields, sample: sample, presumed: CandidateRules.objectsPresumedOfRemakes
            ).remakes(among: rows)
        }
        var seen: Set<String> = []
        return likely.filter { seen.insert($0.objectId).inserted }
    }
}
