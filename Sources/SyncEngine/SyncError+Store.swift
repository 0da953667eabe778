import RemoteService
import StoreService

extension SyncError {
    /// - Parameter error: the error of a call of the store.
    init(storeFailure error: any Error) {
        self = (error as? any StoreFailure)?.isForWantOfRoom == true ? .storeFull : .store(String(describing: error))
    }
}
