import ParseModel
import RemoteService

/// Reads pushed objects that no pull covers, to distinguish other clients' edits from the acknowledged ones.
struct PushedObjects {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    func confirm(_ classNames: Set<String>) async throws(SyncError) {
        for className in classNames.sorted() {
            do {
                try await confirm(className)
            } catch {
                guard error.isOfOneClass else { throw error }
                // Some classes are writable but not readable. Only an unusable answer is worth a warning.
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
