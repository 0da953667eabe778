import RemoteService
import StoreService

extension SyncError {
    /// - Parameter error: the error of a store call.
    init(storeFailure error: any Error) {
        self = (error as? any StoreFailure)?.isForWantOfRoom == true ? .storeFull : .store(String(describing: error))
    }
}
