import ParseModel
import StoreService

/// Decides whether a request needs the master key to operate the gateway, or to see the figures about all objects. The
/// composition chooses both rules.
struct OperatorGuards: Sendable {
    enum Guard: Sendable {
        case everyClient
        case masterKey
        /// The master key, once the store has a user.
        case masterKeyOnceThereAreUsers(any ObjectStore)
    }

    /// For routes with the access `masterOnlyWithUsers`.
    let figures: Guard
    /// For routes with the access `masterOnlyWithSpaces`.
    let operating: Guard

    func requireMaster(_ access: RoutePolicy.Access) throws -> Bool {
        switch access {
        case .open, .keyed: return false
        case .masterOnly: return true
        case .masterOnlyWithUsers: return try isClosed(figures)
        case .masterOnlyWithSpaces: return try isClosed(operating)
        }
    }

    private func isClosed(_ given: Guard) throws -> Bool {
        switch given {
        case .everyClient: false
        case .masterKey: true
        case .masterKeyOnceThereAreUsers(let store):
            try !store.find("_User", ParseQuery(limit: 1), as: .master).objects.isEmpty
        }
    }
}
