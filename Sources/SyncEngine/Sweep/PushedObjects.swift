import ParseModel
import RemoteService
import SyncModel

/// Reads objects by id after this sync has sent changes of them, in classes whose pulls may miss an object or its
/// deletion: classes that are not pulled, are pulled in subsets, or keep rows of deleted objects. The rows show edits
/// by other clients since the push.
struct PushedObjects {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Reads the changed objects of classes that are not pulled. Removes the objects that the remote does not have
    /// (`Removals`).
    func confirm(_ classNames: Set<String>) async throws(SyncError) {
        for className in classNames.sorted() {
            do {
                let gone = try await missing(of: className)
                if !gone.isEmpty { try await Removals(context).remove(gone, of: className) }
            } catch {
                guard error.isOfOneClass else { throw error }
                // A class may be writable but not readable, so a refusal is normal. Only an unusable answer causes a warning.
                if error.isUnusable { warn(error, of: className) }
            }
        }
    }

    /// Reads objects whose acknowledged change the remote has not shown yet. Also reads changed objects that match no
    /// pull: the store will drop these objects, and no later sync would notice that a restored remote has lost them.
    /// - Returns: the ids of the objects that the remote does not have.
    func missing(of className: String) async throws(SyncError) -> [String] {
        let unshown = try await context.store { try await $0.provisionalIds(of: className) }
        let strays = try await context.store { try await $0.pushedStrays(of: className) }
        let ids = unshown + strays
        guard !ids.isEmpty else { return [] }
        let found: [RemoteRecord]
        do {
            found = try await ObjectLookup(context).fetch(className, ids)
        } catch {
            // One of the rows is too large to read.
            guard case .unusable(_, isTooMuch: true) = error else { throw error }
            warn(error, of: className)
            return []
        }
        let present = Set(found.map(\.objectId))
        try await RowIntake(context).apply(found, of: className)
        return ids.filter { !present.contains($0) }
    }

    private func warn(_ error: SyncError, of className: String) {
        context.reporter.warn("Pushed objects of \(className) cannot be read: \(error.message)")
    }
}
