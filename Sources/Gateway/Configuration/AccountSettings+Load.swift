import Foundation
import GatewayAPI
import Passwords
import StoreService

extension AccountSettings {
    /// The longest accepted time, in seconds: a hundred years.
    private static let secondsMax = 3_153_600_000.0

    /// Reads the settings for users and sessions.
    /// - Throws: `ConfigurationError`, one line with the setting.
    init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        self.init()
        if let length = try sources.setting(.sessionLength) {
            sessionLength = try length.seconds(in: 1...Self.secondsMax)
        }
        if let expires = try sources.setting(.expireInactiveSessions) { expiresSessions = try expires.bool() }
        if let extends = try sources.setting(.extendSessionOnUse) { extendsSessionsOnUse = try extends.bool() }
        if let ends = try sources.setting(.revokeSessionOnPasswordReset) {
            endsSessionsOnPasswordChange = try ends.bool()
        }
        if let isPrivate = try sources.setting(.enforcePrivateUsers) { keepsUsersPrivate = try isPrivate.bool() }
        lockout = try Self.lockout(sources)
        passwordPolicy = try PasswordPolicy(sources)
        if let memory = try sources.setting(.passwordMemoryKiB) {
            passwordStrength.memoryKiB = try memory.integer(in: PasswordStrength.memoryKiBRange)
        }
        if let passes = try sources.setting(.passwordPasses) {
            passwordStrength.passes = try passes.integer(in: PasswordStrength.passesRange)
        }
    }

    private static func lockout(_ sources: ConfigurationSources) throws(ConfigurationError) -> Lockout? {
        let duration = try sources.setting(.accountLockoutDuration)?.seconds(in: 1...secondsMax) ?? .seconds(300)
        guard let threshold = try sources.setting(.accountLockoutThreshold)?.integer(in: 0...1000), threshold > 0 else {
            return nil
        }
        return Lockout(threshold: threshold, duration: duration)
    }
}

extension PasswordPolicy {
    fileprivate init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        self.init()
        if let expression = try sources.setting(.passwordPattern) {
            guard (try? RegularExpression.compiled(expression.text, options: "")) != nil else {
                throw expression.wrong("is not a regular expression")
            }
            pattern = expression.text
        }
        if let forbids = try sources.setting(.passwordForbidUsername) { allowsUsername = try !forbids.bool() }
        if let age = try sources.setting(.passwordMaxAge)?.seconds(in: 0...3_153_600_000), age > .zero { ageMax = age }
        if let history = try sources.setting(.passwordHistory) { historyMax = try history.integer(in: 0...20) }
    }
}
