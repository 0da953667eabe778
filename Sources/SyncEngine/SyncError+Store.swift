import RemoteService
import StoreService

extension SyncError {
    /// - Parameter error: the error of a store call.
    init(storeFailure error: any Error) {
        self = (error as? StoreError) == .diskFull ? .storeFull : .store(String(describing: error))
    }
}
