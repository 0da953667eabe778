import GatewayAPI
import StoreService

/// The settings for the users and sessions of a standalone gateway. The names and the defaults are those of Parse Server.
package enum LogInSettings: SettingGroup {
    package static let title = "Users and sessions of a standalone gateway"
    package static let settings: [Setting] = [
        .sessionLength, .extendSessionOnUse, .enforcePrivateUsers, .accountLockoutThreshold, .passwordPattern,
        .passwordForbidUsername,
    ]
}

extension Setting {
    package static let sessionLength = Setting(
        "session-length", .seconds(1...3_153_600_000), \.accounts.sessionLength,
        "The time from the opening of a session to its end.")
    package static let extendSessionOnUse = Setting(
        "extend-session-on-use", .flag, \.accounts.extendsSessionsOnUse,
        "The use of a session in the second half of its time moves its end.")
    package static let enforcePrivateUsers = Setting(
        "enforce-private-users", .bool, \.accounts.keepsUsersPrivate,
        "false: the default ACL of a new user allows everybody to read.")
    package static let accountLockoutThreshold = Setting(
        "account-lockout-threshold", .lockout(0...1000), \.accounts.lockout,
        "The number of failed log-ins that lock a user out for five minutes; 0 for none. At most 1000.")
    package static let passwordPattern = Setting(
        "password-pattern", .regularExpression, \.accounts.passwordPolicy.pattern,
        "A regular expression that new passwords must match. Parse Server's passwordPolicy.validatorPattern.")
    package static let passwordForbidUsername = Setting(
        "password-forbid-username", .flag, \.accounts.passwordPolicy.forbidsUsername,
        "A password must not contain the user name.")
}

extension SettingType where Value == Lockout? {
    /// The time of a lock-out. Longer times help an attacker who locks users out, and shorter ones an attacker who guesses.
    private static var duration: Duration { .seconds(300) }

    fileprivate static func lockout(_ range: ClosedRange<Int>) -> Self {
        Self(valueName: "count", form: .number) { given throws(ConfigurationError) in
            let threshold = try given.integer(in: range)
            return threshold > 0 ? Lockout(threshold: threshold, duration: duration) : nil
        } text: {
            String($0?.threshold ?? 0)
        }
    }
}

extension PasswordPolicy {
    fileprivate var forbidsUsername: Bool {
        get { !allowsUsername }
        set { allowsUsername = !newValue }
    }
}
