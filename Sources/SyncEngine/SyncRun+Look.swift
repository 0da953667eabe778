import ParseModel
import RemoteService
import SyncModel

/// Looking for objects by name. That a remote does not show an object says little where it shows nothing of what it had:
/// so does one that was restored empty, or stands apart from its replica set, or no longer lets us read.
extension SyncRun {
    /// All that the remote has of the objects, tombstones and marked rows among it.
    /// - Throws: also where the remote shows none of them, nor anything else that it had.
    mutating func rows(_ className: String, _ objectIds: [String]) async throws(SyncError) -> [RemoteRecord] {
        let (rows, isBelievable) = try await look(for: objectIds, of: className)
        guard isBelievable else { throw .showsNothing(of: className) }
        return rows
    }

    /// Those of the objects that are there now: tombstones, of the remote's or of the class's own making, are not.
    mutating func fetch(_ className: String, _ objectIds: [String]) async throws(SyncError) -> [RemoteRecord] {
        try await rows(className, objectIds).filter { !isDeleted($0) }
    }

    /// What is not found is looked for once more, together with objects that the remote has or had.
    /// - Returns: what was found, and whether the rest is to be taken for gone.
    mutating func look(
        for objectIds: [String], of className: String
    ) async throws(SyncError) -> (rows: [RemoteRecord], isBelievable: Bool) {
        let found = try await askedFor(objectIds, of: className)
        let foundIds = Set(found.map(\.objectId))
        let missing = objectIds.filter { !foundIds.contains($0) }
        if missing.isEmpty { return (found, true) }
        var witnesses = [found.prefix(Self.witnessesMax).map { Pointer(className: className, objectId: $0.objectId) }]
        if found.isEmpty { witnesses = try await self.witnesses(of: className, besides: objectIds) }
        // One answer with both is the best proof.
        let together = witnesses.first?.first?.className == className ? witnesses.removeFirst() : []
        let again = try await askedFor(missing + together.map(\.objectId), of: className)
        let wanted = Set(missing)
        let rows = found + again.filter { wanted.contains($0.objectId) }
        if !again.isEmpty { return (rows, true) }
        if together.isEmpty, witnesses.isEmpty { return (rows, true) }
        return (rows, try await showsAny(of: witnesses))
    }

    private func witnesses(of className: String, besides objectIds: [String]) async throws(SyncError) -> [[Pointer]] {
        try await stored { store in
            try await store.witnesses(of: className, besides: objectIds, max: Self.witnessesMax)
        }
    }

    /// How many objects are asked to bear witness that the remote shows what it has.
    private static let witnessesMax = 3

    /// Objects that were created since a server time. An empty list is asked for twice.
    mutating func created(in className: String, since: ParseDate) async throws(SyncError) -> [RemoteRecord] {
        for isFirst in [true, false] {
            let created = try await asked { remote throws(RemoteError) in
                try await remote.created(in: className, since: since)
            }
            if !created.isEmpty { return created }
            guard isFirst else { break }
            try await requireWitnesses(of: className)
        }
        return []
    }

    /// - Throws: where the remote shows nothing of what it had.
    mutating func requireWitnesses(of className: String) async throws(SyncError) {
        let witnesses = try await witnesses(of: className, besides: [])
        if !witnesses.isEmpty, try await !showsAny(of: witnesses) { throw .showsNothing(of: className) }
    }

    private mutating func showsAny(of witnesses: [[Pointer]]) async throws(SyncError) -> Bool {
        for group in witnesses {
            guard let className = group.first?.className else { continue }
            if try await !askedFor(group.map(\.objectId), of: className).isEmpty { return true }
        }
        return false
    }

    /// Without a second thought: what is found counts, and what is not found does no harm.
    mutating func askedFor(_ objectIds: [String], of className: String) async throws(SyncError) -> [RemoteRecord] {
        do {
            return try await asked { remote throws(RemoteError) in
                try await remote.fetch(className, objectIds: objectIds)
            }
        } catch {
            guard case .unusable(_, isTooMuch: true) = error, objectIds.count > 1 else { throw error }
            let half = objectIds.count / 2
            return try await askedFor(Array(objectIds[..<half]), of: className)
                + askedFor(Array(objectIds[half...]), of: className)
        }
    }
}

extension SyncError {
    fileprivate static func showsNothing(of className: String) -> SyncError {
        .unusable(reason: "it shows none of \(className)'s objects, nor any others that it had", isTooMuch: false)
    }
}
