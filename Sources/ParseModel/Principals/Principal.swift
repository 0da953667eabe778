/// The caller on whose behalf an operation reads or writes. `AccessRules` defines its rights.
package enum Principal: Sendable, Hashable {
    /// A client without a session and without the master key.
    case `public`
    /// A client with the session of a user.
    case user(SignedInUser)
    /// A client with the read-only master key. It reads like `master`, and every write is refused.
    case readOnlyMaster
    /// A client with the maintenance key. It reads and writes objects like `master`, but cannot use the routes that
    /// require the master key.
    case maintenance
    /// A client with the master key, or the gateway itself. Permissions of classes and objects do not restrict it.
    case master

    /// Whether the caller may use the routes that require the master key. With the read-only master key, this is true
    /// for reads.
    package var isMaster: Bool {
        switch self {
        case .master, .readOnlyMaster: true
        case .maintenance, .public, .user: false
        }
    }

    /// Whether permissions of classes and objects do not restrict the caller's reads.
    package var readsEverything: Bool {
        switch self {
        case .master, .readOnlyMaster, .maintenance: true
        case .public, .user: false
        }
    }

    /// Whether permissions of classes and objects do not restrict the caller's writes.
    package var writesEverything: Bool {
        switch self {
        case .master, .maintenance: true
        case .readOnlyMaster, .public, .user: false
        }
    }

    /// The signed-in user; nil for the public and for the master key.
    package var user: SignedInUser? {
        if case .user(let user) = self { user } else { nil }
    }
}

/// A signed-in user, as of the time at which the request began.
///
/// All requests of a session share one instance of this class. A copy of a class reference counts one reference, and a
/// copy of an equal structure would count four. With two threads, these counts were a quarter of the additional cost of
/// a read with a session.
package final class SignedInUser: Sendable, Hashable {
    /// The id of the user's object in `_User`.
    package let objectId: String
    /// The names of the user's roles, without the prefix `role:`: those that the user is a member of, and all roles that inherit
    /// from these.
    package let roles: Set<String>
    /// The id of the session's object in `_Session`.
    package let sessionId: String
    /// The keys of ACLs and class permissions that stand for the user, without `*`: the user's id, unless it is
    /// reserved, and the user's roles.
    package let entities: Set<String>

    package init(objectId: String, roles: Set<String>, sessionId: String) {
        self.objectId = objectId
        self.roles = roles
        self.sessionId = sessionId
        entities = Set(roles.map(AccessEntity.ofRole) + (AccessEntity.isReserved(objectId) ? [] : [objectId]))
    }

    package static func == (a: SignedInUser, b: SignedInUser) -> Bool {
        a === b || a.objectId == b.objectId && a.sessionId == b.sessionId && a.roles == b.roles
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(objectId)
        hasher.combine(sessionId)
    }
}
