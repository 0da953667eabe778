import ParseModel
import StoreService

/// Decides whether a request needs the master key to operate the gateway, to inspect the program, or to see the figures about
/// all objects. Each product chooses the three rules.
struct OperatorGuards: Sendable {
    enum Guard: Sendable {
        case everyClient
        case masterKey
        /// The master key if the store has a user. Otherwise, no master key is needed.
        case masterKeyOnceThereAreUsers(any ObjectStore)
    }

    /// The rule for routes with the access `masterOnlyWithUsers`.
    let figures: Guard
    /// The rule for routes with the access `masterOnlyWithSpaces`.
    let operating: Guard
    /// The rule for routes with the access `masterOnlyToInspect`.
    let inspecting: Guard

    func requireMaster(_ access: RoutePolicy.Access) throws -> Bool {
        switch access {
        case .open, .keyed: return false
        case .masterOnly: return true
        case .masterOnlyWithUsers: return try isClosed(figures)
        case .masterOnlyWithSpaces: return try isClosed(operating)
        case .masterOnlyToInspect: return try isClosed(inspecting)
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
