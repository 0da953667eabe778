/// The caller on whose behalf an operation reads or writes. `AccessRules` defines its rights.
package enum Principal: Sendable, Hashable {
    /// A client without a session and without the master key.
    case `public`
    /// A client with the session of a user.
    case user(SignedInUser)
    /// A client with the master key, or the gateway itself. Permissions of classes and objects do not restrict it.
    case master

    package var isMaster: Bool { self == .master }

    /// The signed-in user; nil for the public and for the master key.
    package var user: SignedInUser? {
        if case .user(let user) = self { user } else { nil }
    }
}

/// A user with a valid session, as of the time at which the request began.
package struct SignedInUser: Sendable, Hashable {
    /// The id of the user's object in `_User`.
    package let objectId: String
    /// The names of the user's roles, without the prefix `role:`: those that the user is a member of, and all roles that inherit
    /// from these.
    package let roles: Set<String>
    /// The id of the session's object in `_Session`.
    package let sessionId: String

    package init(objectId: String, roles: Set<String>, sessionId: String) {
        self.objectId = objectId
        self.roles = roles
        self.sessionId = sessionId
    }
}
