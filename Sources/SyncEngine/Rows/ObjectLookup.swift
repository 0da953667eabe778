import ParseModel
import RemoteService
import SyncModel

/// Reads objects by id. If an answer lacks objects, the lookup tests the remote with canaries: other objects that the
/// remote is known to have. The objects count as missing only if the remote shows a canary, or if no canary is known.
/// Otherwise their absence proves nothing: the remote may have been restored empty, its database node may lag, or read
/// permissions may be lost.
struct ObjectLookup {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    private var remote: RemoteReader { context.remote }

    /// Reads rows by id, including tombstones and rows that are marked as deleted by `deletedField`.
    /// - Throws: also if the absence of missing objects is not credible; see `fetchTwice`.
    func rows(_ className: String, _ objectIds: [String]) async throws(SyncError) -> [RemoteRecord] {
        let (rows, isBelievable) = try await fetchTwice(for: objectIds, of: className)
        guard isBelievable else { throw .showsNothing(of: className) }
        return rows
    }

    /// Reads rows by id, without tombstones and rows that are marked as deleted by `deletedField`.
    /// - Throws: also if the absence of missing objects is not credible; see `fetchTwice`.
    func fetch(_ className: String, _ objectIds: [String]) async throws(SyncError) -> [RemoteRecord] {
        try await rows(className, objectIds).filter { !context.classes.isDeleted($0) }
    }

    /// Reads objects by id. If the answer lacks objects, reads these a second time, together with canaries, other
    /// objects that surely exist.
    /// - Returns: `rows`: the rows found. `isBelievable`: whether the absence of the other objects is credible. False
    ///   if canaries were read, and no answer after the first contains a row.
    func fetchTwice(
        for objectIds: [String], of className: String
    ) async throws(SyncError) -> (rows: [RemoteRecord], isBelievable: Bool) {
        let found = try await ask(for: objectIds, of: className)
        let foundIds = Set(found.map(\.objectId))
        let missing = objectIds.filter { !foundIds.contains($0) }
        if missing.isEmpty { return (found, true) }
        // Reads canaries (objects that surely exist) of the same class in one request with the missing objects. An
        // answer that has the canaries but not the missing objects is the best proof that the objects are missing.
        var canaries = try await self.canaries(of: className, besides: objectIds)
        var together = canaries.first?.first?.className == className ? canaries.removeFirst() : []
        if !found.isEmpty {
            canaries = []
            together += found.prefix(Self.canariesMax).map { Pointer(className: className, objectId: $0.objectId) }
        }
        let again = try await ask(for: missing + together.map(\.objectId), of: className)
        let wanted = Set(missing)
        let rows = found + again.filter { wanted.contains($0.objectId) }
        if !again.isEmpty {
            // A canary in an older state shows that the remote was restored from a backup, or that its answers lag.
            // `Removals` then does not remove the missing objects at once.
            let canaries = again.filter { !wanted.contains($0.objectId) && !foundIds.contains($0.objectId) }
            try await RowIntake(context).applyOlder(canaries, of: className)
            return (rows, true)
        }
        if together.isEmpty, canaries.isEmpty { return (rows, true) }
        return (rows, try await showsAny(of: canaries, besides: className))
    }

    /// Reads the objects created since a server time. An empty page ends a list, but a page may be empty by mistake.
    /// The list is therefore read again from its newest object, until it shows no further object.
    func created(in className: String, since: ParseDate) async throws(SyncError) -> [RemoteRecord] {
        var found: [RemoteRecord] = []
        var start = since
        while true {
            let known = Set(found.map(\.objectId))
            let further = try await list(of: className, createdSince: start).filter { !known.contains($0.objectId) }
            guard let newest = further.map(\.createdAt).max() else { return found }
            found += further
            start = newest
        }
    }

    /// Reads the objects created since a server time, once. Confirms an empty list by a second read, after a canary (an
    /// object that surely exists) was found.
    private func list(of className: String, createdSince since: ParseDate) async throws(SyncError) -> [RemoteRecord] {
        for isFirst in [true, false] {
            let created = try await remote.ask { remote throws(RemoteError) in
                try await remote.created(in: className, since: since)
            }
            if !created.isEmpty { return created }
            guard isFirst else { break }
            try await requireCanaries(of: className)
        }
        return []
    }

    /// Reads objects once, without a check by canaries (other objects that surely exist). A caller must not take
    /// missing objects for deleted, unless it checks canaries itself. If the answer exceeds the size limit, each half
    /// of the objects is read separately.
    func ask(for objectIds: [String], of className: String) async throws(SyncError) -> [RemoteRecord] {
        do {
            return try await remote.ask { remote throws(RemoteError) in
                try await remote.fetch(className, objectIds: objectIds)
            }
        } catch {
            guard case .unusable(_, isTooMuch: true) = error, objectIds.count > 1 else { throw error }
            let half = objectIds.count / 2
            return try await ask(for: Array(objectIds[..<half]), of: className)
                + ask(for: Array(objectIds[half...]), of: className)
        }
    }

    // MARK: Canaries

    /// The maximum number of canaries (objects that surely exist, to test the answers) of one class.
    private static let canariesMax = 3

    /// Checks that the remote shows at least one canary, an object that it is known to have. Does nothing if no canary
    /// is known. If some canaries of the class are missing, their removal waits for a user's decision: while a create
    /// of the class has an unknown outcome, no pull and no sweep would find that they were deleted. After the user has
    /// confirmed the removal, they are no canaries any more.
    /// - Throws: if the remote shows none of the known canaries.
    func requireCanaries(of className: String) async throws(SyncError) {
        let canaries = try await canaries(of: className, besides: [])
        if canaries.isEmpty { return }
        if try await showsAny(of: canaries, besides: className) { return }
        let missing = canaries.joined().filter { $0.className == className }.map(\.objectId)
        try await Removals(context).remove(missing, of: className, isBelievable: false)
        throw .showsNothing(of: className)
    }

    /// The canaries (objects that surely exist) for a read of the class: objects of the class itself and of one other
    /// pulled class. Each of the two classes has a group of at most `canariesMax` objects. Empty groups are left out.
    private func canaries(of className: String, besides objectIds: [String]) async throws(SyncError) -> [[Pointer]] {
        try await context.store {
            try await $0.canaries(of: className, besides: objectIds, max: Self.canariesMax)
        }
    }

    /// Whether the remote shows at least one canary, an object that it is known to have. An older state of a canary is
    /// a sign of a restored backup. The last canary is the user under whose session this gateway reads: a remote that
    /// was restored empty has no user and no session.
    /// - Parameter asked: the class of the missing objects.
    private func showsAny(of canaries: [[Pointer]], besides asked: String) async throws(SyncError) -> Bool {
        for group in canaries {
            guard let className = group.first?.className else { continue }
            let found: [RemoteRecord]
            do {
                found = try await ask(for: group.map(\.objectId), of: className)
            } catch {
                // The remote refuses only the canary's class, which proves nothing about the class of the missing
                // objects.
                guard error.isRefusal, className != asked else { throw error }
                continue
            }
            if found.isEmpty { continue }
            try await RowIntake(context).applyOlder(found, of: className)
            return true
        }
        return try await remote.ask { remote throws(RemoteError) in try await remote.showsUser() }
    }
}

extension SyncError {
    /// The error of a read whose answer lacks objects and shows no canary (no other object that surely exists).
    static func showsNothing(of className: String) -> SyncError {
        .unusable(reason: "it shows no object of \(className) and no other known object", isTooMuch: false)
    }
}
