import ParseModel
import SyncModel

extension SyncIdentity {
    /// The identity that sends the local writes of a principal. Today it is the gateway's for every principal.
    package init(of principal: Principal) {
        switch principal {
        case .public, .user, .readOnlyMaster, .maintenance, .master: self = .gateway
        }
    }
}
