import ParseModel
import RemoteService
import SyncModel

/// The reads that find out the outcomes of requests without a clear answer, in one sync. Each read serves all entries
/// of a class: many such requests usually come from one lost connection.
struct ProofReads {
    /// The result of a read. It shows the remote at the server time `at` or later.
    struct Answer<Value: Sendable>: Sendable {
        let value: Value
        let at: ParseDate
    }

    private let context: SyncContext
    private let lookup: ObjectLookup
    /// By class, the earliest time at which a create whose object is searched for may have made the object.
    private var searchedSince: [String: ParseDate] = [:]
    /// By class, the entries whose objects are to be read by id.
    private var readById: [String: [OutboxEntry]] = [:]
    private var created: [String: Answer<[RemoteRecord]>] = [:]
    private var rows: [Pointer: Answer<RemoteRecord?>] = [:]

    init(_ context: SyncContext) {
        self.context = context
        lookup = ObjectLookup(context)
    }

    /// Registers an entry before the reads, so that one read can serve several entries.
    mutating func expect(_ entry: OutboxEntry, isSearchedFor: Bool, isReadById: Bool) {
        if isReadById { readById[entry.className, default: []].append(entry) }
        guard isSearchedFor else { return }
        let since = searchStart(of: entry)
        searchedSince[entry.className] = min(searchedSince[entry.className] ?? since, since)
    }

    /// The objects that may be the result of the entry's create: those created since its first attempt, minus the
    /// overlap.
    mutating func created(since entry: OutboxEntry) async throws(SyncError) -> Answer<[RemoteRecord]> {
        let className = entry.className
        let since = searchStart(of: entry)
        let listed: Answer<[RemoteRecord]>
        if let known = created[className] {
            listed = known
        } else {
            let at = try await context.remote.serverNow()
            listed = Answer(
                value: try await lookup.created(in: className, since: min(searchedSince[className] ?? since, since)),
                at: at)
            created[className] = listed
        }
        return Answer(value: listed.value.filter { $0.createdAt >= since }, at: listed.at)
    }

    /// The remote's row or tombstone of an entry's object; nil for a missing object.
    mutating func row(of entry: OutboxEntry) async throws(SyncError) -> Answer<RemoteRecord?> {
        if let known = rows[entry.pointer] { return known }
        let together = readById.removeValue(forKey: entry.className) ?? []
        if together.count > 1 {
            do {
                try await read(together)
            } catch {
                // The error may be caused by one object only, so each object is read alone.
                guard error.isOfOneClass else { throw error }
            }
        }
        if let known = rows[entry.pointer] { return known }
        let at = try await context.remote.serverNow()
        try await read([entry])
        return rows[entry.pointer] ?? Answer(value: nil, at: at)
    }

    private mutating func read(_ entries: [OutboxEntry]) async throws(SyncError) {
        // The objects of creates are read without canaries (existing objects that test the answer): if such an object
        // has no row, no local object is removed.
        for isCreate in [true, false] {
            let some = entries.filter { ($0.step.kind == .create) == isCreate }
            guard let className = some.first?.className else { continue }
            let at = try await context.remote.serverNow()
            let ids = some.map(\.objectId)
            let found =
                isCreate ? try await lookup.ask(for: ids, of: className) : try await lookup.rows(className, ids)
            let byId = Dictionary(found.map { ($0.objectId, $0) }, uniquingKeysWith: { first, _ in first })
            for entry in some { rows[entry.pointer] = Answer(value: byId[entry.objectId], at: at) }
        }
    }

    private func searchStart(of entry: OutboxEntry) -> ParseDate {
        (entry.attemptedAt ?? ParseDate(milliseconds: 0)) - context.options.overlap
    }
}
