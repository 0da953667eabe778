import ParseModel

/// The parts of a write of a user or of a session that are not fields of the object, such as a new password. The store
/// applies them in the transaction of the write. Only a standalone store, a store without a remote, accepts them.
package struct AccountChange: Sendable, Hashable {
    /// The user's new password; nil to keep the present one.
    package var password: NewPassword?
    /// The sign-in providers (`authData`) to link to the user, by name; null unlinks a provider.
    package var authData = JSONObject()
    /// The session to open for the user. For a create of `_Session`: the token of the new object.
    package var session: NewSession?
    /// Whether the user's other sessions end.
    package var endsSessions = false
    /// Whether the default ACL of a new user allows everybody to read.
    package var isReadableByAll = false
    /// Whether the answer to the write contains the user name, because the gateway has generated it.
    package var showsUsername = false

    package init() {}
}

/// A password that is already hashed.
package struct NewPassword: Sendable, Hashable {
    package let hash: String

    package init(hash: String) { self.hash = hash }
}

/// A session to open. The printed form of this value does not contain the token.
package struct NewSession: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    package let token: String
    /// The fields of the object in `_Session`, without the user.
    package var fields: JSONObject

    package init(token: String, fields: JSONObject) {
        self.token = token
        self.fields = fields
    }

    package var description: String { "A new session" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
