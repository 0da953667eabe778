import RemoteService
import StoreService
import SyncModel

/// Reads withheld objects of a user's data by id: objects that are kept and not shown to clients, because the remote no
/// longer shows them. If the remote shows such an object again, a pull does not return it, because its `updatedAt` is
/// unchanged.
struct WithheldObjects {
    /// The maximum number of objects of a class that one sync reads.
    private static let readMax = 500

    private let context: SyncContext
    private let className: String

    init(_ context: SyncContext, of className: String) {
        self.context = context
        self.className = className
    }

    var isEmpty: Bool {
        get async throws(SyncError) {
            let className = className
            return try await context.store {
                try await $0.withheldIds(of: className, after: nil, max: 1)
            }.isEmpty
        }
    }

    /// Reads withheld objects by id. If an object has a row again, clients see it again, and its removal no longer
    /// waits for a decision.
    /// - Returns: the objects without a row whose removal does not wait for a decision. The sweep decides about them.
    func showReappeared(_ memory: inout WatchMemory) async throws(SyncError) -> [String] {
        let (className, last) = (className, memory.withheldTo[className])
        let ids = try await context.store {
            try await $0.withheldIds(of: className, after: last, max: Self.readMax)
        }
        memory.withheldTo[className] = ids.count < Self.readMax ? nil : ids.last
        guard !ids.isEmpty else { return [] }
        let (rows, found) = try await readable(ids)
        try await RowIntake(context).apply(rows, of: className)
        // The fields of these objects must be checked again, too, so the class gets new canaries (rows whose fields are
        // compared).
        if !rows.isEmpty { memory.canaries[className] = nil }
        let missing = ids.filter { !found.contains($0) }
        let held = try await context.store { try await $0.heldRemoval(of: missing, in: className) }
        return missing.filter { !held.contains($0) }
    }

    /// Reads the rows of objects.
    /// - Returns: `found`: the ids of the objects that exist, also those whose rows are too large for an answer.
    private func readable(_ ids: [String]) async throws(SyncError) -> (rows: [RemoteRecord], found: Set<String>) {
        do {
            let rows = try await ObjectLookup(context).ask(for: ids, of: className)
                .filter { !context.classes.isDeleted($0) }
            return (rows, Set(rows.map(\.objectId)))
        } catch {
            guard case .unusable(_, isTooMuch: true) = error else { throw error }
            guard ids.count > 1 else { return ([], Set(ids)) }
            let half = ids.count / 2
            let (first, second) = (try await readable(Array(ids[..<half])), try await readable(Array(ids[half...])))
            return (first.rows + second.rows, first.found.union(second.found))
        }
    }

    /// Hides objects from clients that two syncs in succession have not found while they could not decide about
    /// removals. A single miss may come from the answer of a lagging database node.
    func hide(_ missing: Set<String>, _ memory: inout WatchMemory) async throws(SyncError) {
        let again = missing.intersection(memory.missing[className] ?? []).sorted()
        memory.missing[className] = missing.isEmpty ? nil : missing
        guard !again.isEmpty else { return }
        let className = className
        try await context.store { try await $0.withhold(again, of: className) }
    }
}
