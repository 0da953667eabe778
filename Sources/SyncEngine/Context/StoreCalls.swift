import ParseModel
import RemoteService
import StoreService

/// The access of a sync to the store. Converts errors of the store to `SyncError`.
struct StoreCalls: Sendable {
    private let store: any SyncStore

    init(_ store: any SyncStore) { self.store = store }

    /// Runs `body` with the store.
    /// - Throws: `SyncError.storeFull` or `SyncError.store`.
    func callAsFunction<Value: Sendable>(
        _ body: @Sendable (any SyncStore) async throws -> Value
    ) async throws(SyncError) -> Value {
        do { return try await body(store) } catch { throw SyncError(storeFailure: error) }
    }

    var rowsTogether: Int { store.rowsTogether }
    /// The id of the user under whose session the sync reads the remote; nil for none.
    var reader: String? { store.reader }
}

extension SyncError {
    /// Converts an error of the store.
    init(storeFailure error: any Error) {
        self = (error as? StoreError) == .diskFull ? .storeFull : .store(String(describing: error))
    }
}
