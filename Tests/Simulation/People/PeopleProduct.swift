import Gateway
import LocalStore
import ParseModel
import StoreService
import SyncModel

/// The kind of the replicas in a run, personal or site, and the behaviour that depends on it.
enum PeopleProduct: Sendable {
    /// Each user's data is in a file of its own.
    case personal
    /// All users share one file.
    case site

    var mode: PeopleSettings.Mode {
        switch self {
        case .personal: .personal
        case .site: .site
        }
    }

    /// The remote's master key with which the replica reads; nil without one.
    var remoteMasterKey: Secret? {
        switch self {
        case .personal: nil
        case .site: Secret(UserRegister.masterKey)
        }
    }

    /// Whether users can create roles through the replica. In a personal replica, roles give no rights.
    var hasRolesOfUsers: Bool { self == .site }

    /// Whether the replica ends the sessions of users who are locked out according to the rows in its own store.
    var knowsLocks: Bool { self == .site }

    /// Whether the changes of users without a session may be sent with the master key.
    var canSendAsMaster: Bool { self == .site }

    /// Whether each user has a separate change feed with its own positions.
    var hasFeedsOfUsers: Bool { self == .personal }

    /// Whether only the rights at the server decide which objects a user sees.
    var followsServersRights: Bool { self == .personal }

    /// The name of the store in which a user's deletion of an object takes effect.
    func nameOfData(of userId: String, at replica: String) -> String {
        switch self {
        case .personal: "\(replica)/\(userId)"
        case .site: replica
        }
    }

    /// The store with the data of a user; nil if it is not open.
    func store(of userId: String, in stores: PeopleStores?) -> LocalStore? {
        switch self {
        case .personal: stores?.space(of: userId)
        case .site: stores?.own
        }
    }

    /// The changes of a user that wait to be sent.
    func queue(of userId: String, in store: LocalStore) async throws -> [OutboxEntry] {
        let queue = store.sync(as: .gateway)
        switch self {
        case .personal: return try await queue.outbox(limit: 1000)
        case .site: return try await queue.sending(for: .user(userId)).outbox(limit: 1000)
        }
    }
}
