import ParseModel
import SyncModel

extension SyncAuthor {
    /// The author of the local writes of a principal.
    package init(of principal: Principal) {
        switch principal {
        case .public: self = .public
        case .user(let user): self = .user(user.objectId)
        case .readOnlyMaster, .maintenance, .master: self = .gateway
        }
    }
}
