import ParseModel

/// A user with the password hash. Never leaves the gateway, and never printed.
package struct Account: Sendable, CustomStringConvertible, CustomReflectable {
    package let userId: String
    /// All fields of the user's object, with id and dates.
    package let user: JSONObject
    /// The hash of the password; nil for a user without a password.
    package let hash: String?

    package init(userId: String, user: JSONObject, hash: String?) {
        self.userId = userId
        self.user = user
        self.hash = hash
    }

    /// Whether the user is locked out by an empty ACL.
    package var isLockedOut: Bool { user["ACL"]?.object?.isEmpty == true }

    package var description: String { "The user \(userId)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
