import Passwords
import StoreService

/// The settings for the users and sessions of a standalone gateway. The defaults are those of Parse Server.
package struct AccountSettings: Sendable, Hashable {
    /// The time from the opening of a session to its end.
    package var sessionLength: Duration = .seconds(31_536_000)
    /// Whether the use of a session in the second half of its time moves its end (`extendSessionOnUse`).
    package var extendsSessionsOnUse = false
    /// Whether only a new user may read the own object (`enforcePrivateUsers`).
    package var keepsUsersPrivate = true
    /// When failed log-ins lock a user out (`accountLockout`); nil for never.
    package var lockout: Lockout?
    package var passwordPolicy = PasswordPolicy()
    /// No setting: the standard is what OWASP recommends. Tests choose a weaker one, which is faster.
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
