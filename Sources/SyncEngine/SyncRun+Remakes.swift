import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Making objects again that were deleted on the remote. A remote that chooses ids would let two replicas make one object
/// twice: so the object of another replica is looked for first.
extension SyncRun {
    /// How many of the latest objects of a class are looked at.
    private static let rowsMax = 1000

    /// Objects that another replica has made again are taken over, or become questions.
    /// - Returns: what remains to be sent.
    mutating func withoutRemakes(_ batch: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        var settlements: [(entry: OutboxEntry, Settlement)] = []
        let again = Dictionary(grouping: batch.filter(isUnsentRemake), by: \.className)
        for (className, entries) in again.sorted(by: { $0.key < $1.key }) {
            settlements += try await remakes(of: entries, in: className)
        }
        guard !settlements.isEmpty else { return batch }
        try await settle(settlements)
        let settled = Set(settlements.map(\.entry.id))
        return batch.filter { !settled.contains($0.id) }
    }

    private func isUnsentRemake(_ entry: OutboxEntry) -> Bool {
        // A class that marks its deleted objects has the old row still.
        entry.step.kind == .create && entry.step.isMadeAgain && entry.attempts == 0
            && options(of: entry.className).deletedField == nil
    }

    private mutating func remakes(
        of entries: [OutboxEntry], in className: String
    ) async throws(SyncError) -> [(entry: OutboxEntry, Settlement)] {
        let standing = try await stored { try await $0.remakes(of: entries, max: Self.rowsMax) }
        let unpulled = try await unpulled(className, since: entries.map(standing.since).min())
        let known = Set(standing.known.map(\.objectId))
        var rows = standing.known + unpulled.filter { !known.contains($0.objectId) }
        guard !rows.isEmpty else { return [] }
        let newIds = Set(unpulled.map(\.objectId)).subtracting(known)
        let sample = try await sample(of: className, besides: Set(rows.map(\.objectId)))
        var settlements: [(entry: OutboxEntry, Settlement)] = []
        for entry in entries {
            let likely = Self.likely(entry, standing, among: rows, besides: sample)
            guard !likely.isEmpty else { continue }
            let others = try await stored { try await $0.standing(of: likely.map(\.objectId), for: entry) }
            let open = likely.filter { row in
                // A known object that was not made here may be the object. One that was made here is not.
                !others.refused.contains(row.objectId)
                    && !(newIds.contains(row.objectId) && others.excluded.contains(row.objectId))
            }
            guard let row = open.first(where: { !others.asked.contains($0.objectId) }) ?? open.first else { continue }
            rows.removeAll { $0.objectId == row.objectId }
            if ProofRules.holds(row, what: entry), !others.asked.contains(row.objectId) {
                settlements.append((entry, .madeByOthers(row)))
            } else {
                let rest = open.map(\.objectId).filter { $0 != row.objectId }.prefix(Self.candidatesMax)
                settlements.append((entry, .conflict(.ambiguousCreate, remote: row, others: Array(rest))))
            }
        }
        return settlements
    }

    /// Other objects of the class than the rows.
    private func sample(of className: String, besides rows: Set<String>) async throws(SyncError) -> [JSONObject] {
        try await stored { try await $0.sample(of: className, besides: "", max: CandidateRules.sampleMax) }
            .filter { $0["objectId"]?.string.map(rows.contains) != true }
    }

    /// The objects that the remote has made since the class was pulled; none where the class may not be listed.
    private mutating func unpulled(
        _ className: String, since: ParseDate?
    ) async throws(SyncError) -> [RemoteRecord] {
        guard let since else { return [] }
        // A subset does not bring the objects that others make.
        let isPulledWhole = classes[className]?.pulls.contains { $0.pull.isWholeClass } == true
        let pulled = completePulls.filter { $0.key.className == className }.map(\.value).min() ?? knownBefore[className]
        let begin = isPulledWhole ? pulled.map { max($0 - options.overlap, since) } ?? since : since
        do {
            return try await asked { remote throws(RemoteError) in
                try await remote.created(in: className, since: begin)
            }.filter { !isDeleted($0) }
        } catch {
            if case .refused = error { return [] }
            throw error
        }
    }

    /// The rows that hold everything that would be sent; then those that have most of the object as it was, or of its fields that
    /// were not changed here.
    private static func likely(
        _ entry: OutboxEntry, _ standing: RemakeStanding, among rows: [RemoteRecord], besides sample: [JSONObject]
    ) -> [RemoteRecord] {
        let sent = Replay.view(base: nil, steps: [entry.step], className: entry.className)?.fields ?? JSONObject()
        let before = standing.ancestors[entry.id]?.fields ?? sent
        var unchanged = before
        unchanged.removeAll { before[$0] != sent[$0] }
        let since = standing.since(entry)
        let rows = rows.filter { $0.createdAt >= since && $0.objectId != entry.objectId }
        var likely = rows.filter { ProofRules.holds($0, what: entry) }
        for fields in [before, unchanged] where !fields.isEmpty {
            likely += CandidateRules(
                sent: fields, sample: sample, presumed: CandidateRules.objectsPresumedOfRemakes
            ).remakes(among: rows)
        }
        var seen: Set<String> = []
        return likely.filter { seen.insert($0.objectId).inserted }
    }
}
