import ParseModel
import RemoteService
import StoreService

/// The store as a sync uses it: its errors become `SyncError`.
struct StoreAccess: Sendable {
    private let store: any SyncStore

    init(_ store: any SyncStore) { self.store = store }

    /// - Throws: `SyncError.storeFull` or `SyncError.store`.
    func callAsFunction<Value: Sendable>(
        _ body: @Sendable (any SyncStore) async throws -> Value
    ) async throws(SyncError) -> Value {
        do { return try await body(store) } catch { throw SyncError(storeFailure: error) }
    }
}
