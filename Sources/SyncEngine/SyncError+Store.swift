import RemoteService
import StoreService

extension SyncError {
    /// Converts an error of the store.
    init(storeFailure error: any Error) {
        self = (error as? StoreError) == .diskFull ? .storeFull : .store(String(describing: error))
    }
}
