import ArgumentParser
import Gateway

/// The options for users and sessions of a standalone gateway.
struct AccountOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time from the opening of a session to its end. Default: 31536000.", valueName: "seconds"))
    var sessionLength: String?

    @Option(help: ArgumentHelp("'false': sessions do not end. Default: true.", valueName: "bool"))
    var expireInactiveSessions: String?

    @Flag(help: "The use of a session in the second half of its time moves its end.")
    var extendSessionOnUse = false

    @Option(
        help: ArgumentHelp(
            "'false': a changed password does not end the user's sessions. Default: true.", valueName: "bool"))
    var revokeSessionOnPasswordReset: String?

    @Option(
        help: ArgumentHelp(
            "'false': the default ACL of a new user allows everybody to read. Default: true.", valueName: "bool"))
    var enforcePrivateUsers: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The number of failed log-ins that lock a user out; 0 for none. Default: 0.", valueName: "count"))
    var accountLockoutThreshold: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The time of a lock-out. Default: 300.", valueName: "seconds"))
    var accountLockoutDuration: String?

    @Option(help: ArgumentHelp("A regular expression that new passwords must match.", valueName: "pattern"))
    var passwordPattern: String?

    @Flag(help: "A password must not contain the user name.")
    var passwordForbidUsername = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The age at which a password no longer opens a session; 0 for no limit. Default: 0.", valueName: "seconds"))
    var passwordMaxAge: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The number of latest passwords that a new one must differ from. Default: 0.", valueName: "count"))
    var passwordHistory: String?

    @Option(
        name: .customLong("password-memory-kib"), parsing: .unconditional,
        help: ArgumentHelp("The memory of one password hash (Argon2id). Default: 19456.", valueName: "KiB"))
    var passwordMemoryKiB: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The passes of one password hash. Default: 2.", valueName: "count"))
    var passwordPasses: String?

    /// The values on the command line, by setting; nil for an absent option.
    var arguments: [ConfigurationKey: String?] {
        [
            .sessionLength: sessionLength, .expireInactiveSessions: expireInactiveSessions,
            .extendSessionOnUse: extendSessionOnUse ? "true" : nil,
            .revokeSessionOnPasswordReset: revokeSessionOnPasswordReset, .enforcePrivateUsers: enforcePrivateUsers,
            .accountLockoutThreshold: accountLockoutThreshold, .accountLockoutDuration: accountLockoutDuration,
            .passwordPattern: passwordPattern, .passwordForbidUsername: passwordForbidUsername ? "true" : nil,
            .passwordMaxAge: passwordMaxAge, .passwordHistory: passwordHistory,
            .passwordMemoryKiB: passwordMemoryKiB, .passwordPasses: passwordPasses,
        ]
    }
}
