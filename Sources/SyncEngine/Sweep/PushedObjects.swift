import ParseModel
import RemoteService
import SyncModel

/// Reads objects with changes of this gateway by id, in classes whose pulls may miss an object or its deletion: classes
/// that are not pulled, are pulled in subsets, or keep rows of deleted objects. The rows show edits by other clients.
struct PushedObjects {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Reads the changed objects of classes that are not pulled. Removes the objects that the remote does not have
    /// (`Removals`).
    func confirm(_ classNames: Set<String>) async throws(SyncError) {
        for className in classNames.sorted() {
            do {
                let gone = try await missing(of: className)
                guard gone.areBelievable else {
                    warn(.showsNothing(of: className), of: className)
                    continue
                }
                if !gone.ids.isEmpty { try await Removals(context).remove(gone.ids.sorted(), of: className) }
            } catch {
                guard error.isOfOneClass else { throw error }
                // A class may be writable but not readable, so a refusal is normal. Only an unusable answer causes a warning.
                if error.isUnusable { warn(error, of: className) }
            }
        }
    }

    /// Reads objects whose acknowledged change the remote has not shown yet, and objects that match no pull:
    ///
    /// - Changed objects that the store will drop. No later sync would notice that a restored remote has lost them.
    /// - Objects that the store keeps because of a pending change or an open decision. Their change may wait for
    ///   another object, so no push would notice that the remote does not have them. They would stay canaries (objects
    ///   that surely exist), and the outcomes that other reads are to prove would stay unknown.
    ///
    /// - Returns: the objects that the remote does not have.
    func missing(of className: String) async throws(SyncError) -> MissingObjects {
        let unshown = try await context.store { try await $0.provisionalIds(of: className) }
        let dropped = try await context.store { try await $0.pushedStrays(of: className) }
        let kept = try await context.store { try await $0.keptStrays(of: className) }
        var missing = MissingObjects()
        for ids in [unshown + dropped, kept] where !ids.isEmpty { try await read(ids, of: className, &missing) }
        return missing
    }

    private func read(
        _ ids: [String], of className: String, _ missing: inout MissingObjects
    ) async throws(SyncError) {
        let (rows, isBelievable): (rows: [RemoteRecord], isBelievable: Bool)
        do {
            (rows, isBelievable) = try await ObjectLookup(context).fetchTwice(for: ids, of: className)
        } catch {
            // One of the rows is too large to read.
            guard case .unusable(_, isTooMuch: true) = error else { throw error }
            return warn(error, of: className)
        }
        let found = rows.filter { !context.classes.isDeleted($0) }
        try await RowIntake(context).apply(found, of: className)
        missing.ids.formUnion(Set(ids).subtracting(found.map(\.objectId)))
        missing.areBelievable = missing.areBelievable && isBelievable
    }

    private func warn(_ error: SyncError, of className: String) {
        context.reporter.warn("Pushed objects of \(className) cannot be read: \(error.message)")
    }
}
