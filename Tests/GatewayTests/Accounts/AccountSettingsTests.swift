import GatewayAPI
import Passwords
import StoreService
import Testing

@testable import Gateway

struct AccountSettingsTests {
    @Test func theDefaultsAreThoseOfParseServer() throws {
        let settings = try load().api(masterKey: Secret("own")).accounts
        #expect(settings == AccountSettings())
        #expect(settings.sessionLength == .seconds(31_536_000) && settings.expiresSessions)
        #expect(!settings.extendsSessionsOnUse && settings.endsSessionsOnPasswordChange && settings.keepsUsersPrivate)
        #expect(settings.lockout == nil && settings.passwordStrength == .standard)
    }

    @Test func eachSettingReachesTheAPI() throws {
        let settings = try load([
            .sessionLength: ["60"], .expireInactiveSessions: ["false"], .extendSessionOnUse: ["true"],
            .revokeSessionOnPasswordReset: ["no"], .enforcePrivateUsers: ["off"], .accountLockoutThreshold: ["3"],
            .accountLockoutDuration: ["120"], .passwordPattern: ["^.{8,}$"], .passwordForbidUsername: ["true"],
            .passwordMaxAge: ["86400"], .passwordHistory: ["5"], .passwordMemoryKiB: ["65536"], .passwordPasses: ["3"],
        ]).api(masterKey: Secret("own")).accounts
        var expected = AccountSettings()
        expected.sessionLength = .seconds(60)
        expected.expiresSessions = false
        expected.extendsSessionsOnUse = true
        expected.endsSessionsOnPasswordChange = false
        expected.keepsUsersPrivate = false
        expected.lockout = Lockout(threshold: 3, duration: .seconds(120))
        expected.passwordPolicy.pattern = "^.{8,}$"
        expected.passwordPolicy.allowsUsername = false
        expected.passwordPolicy.ageMax = .seconds(86_400)
        expected.passwordPolicy.historyMax = 5
        expected.passwordStrength = PasswordStrength(memoryKiB: 65_536, passes: 3)
        #expect(settings == expected)
    }

    @Test(arguments: [
        (ConfigurationKey.passwordPattern, "("), (.passwordMemoryKiB, "7"), (.passwordPasses, "0"),
        (.passwordHistory, "21"), (.sessionLength, "0"), (.accountLockoutThreshold, "-1"),
    ])
    func anInvalidSettingIsNamed(key: ConfigurationKey, text: String) {
        let error = #expect(throws: ConfigurationError.self) { try load([key: [text]]) }
        #expect(error?.description.hasPrefix("\(key.option): ") == true)
    }
}
