import ParseModel
import RemoteService

/// Reads pushed objects by id, in classes that are pulled in subsets or not at all. The pulls of such a class do not show every
/// object. The rows that are read show whether other clients have edited the objects since the push.
struct PushedObjects {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    func confirm(_ classNames: Set<String>) async throws(SyncError) {
        for className in classNames.sorted() {
            do {
                try await confirm(className)
            } catch {
                guard error.isOfOneClass else { throw error }
                // A class may be writable but not readable, so a refusal is normal. Only an unusable answer causes a warning.
                if error.isUnusable {
                    context.reporter.warn("Pushed objects of \(className) cannot be read: \(error.message)")
                }
            }
        }
    }

    func confirm(_ className: String) async throws(SyncError) {
        let ids = try await context.store { try await $0.provisionalIds(of: className) }
        guard !ids.isEmpty else { return }
        let found = try await ObjectLookup(context).fetch(className, ids)
        let present = Set(found.map(\.objectId))
        try await RowIntake(context).apply(found, of: className)
        let gone = ids.filter { !present.contains($0) }
        if !gone.isEmpty { try await Removals(context).remove(gone, of: className) }
    }
}
