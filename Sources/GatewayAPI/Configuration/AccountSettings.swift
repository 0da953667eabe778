import Passwords
import StoreService

/// The settings for the users and sessions of a standalone gateway. The defaults are those of Parse Server.
package struct AccountSettings: Sendable, Hashable {
    /// The time from the opening of a session to its end.
    package var sessionLength: Duration = .seconds(31_536_000)
    /// Whether a session that is used in the second half of its lifetime is extended (`extendSessionOnUse`).
    package var extendsSessionsOnUse = false
    /// Whether the object of a new user is readable by that user only (`enforcePrivateUsers`).
    package var keepsUsersPrivate = true
    /// The rule by which failed log-ins lock a user out (`accountLockout`); nil for no lock-out.
    package var lockout: Lockout?
    package var passwordPolicy = PasswordPolicy()
    /// The cost of password hashes. It is not configurable: the standard follows OWASP's recommendation. Tests choose a
    /// weaker, faster one.
    package var passwordStrength = PasswordStrength.standard

    package init() {}
}

/// The rules for new passwords (Parse Server's `passwordPolicy`).
package struct PasswordPolicy: Sendable, Hashable {
    /// A regular expression that a password must match; nil for any password.
    package var pattern: String?
    /// Whether a password may contain the user name.
    package var allowsUsername = true

    package init() {}
}
