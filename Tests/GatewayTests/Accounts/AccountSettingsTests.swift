import GatewayAPI
import Passwords
import StoreService
import Testing

@testable import Gateway

struct AccountSettingsTests {
    @Test func accountSettingsDefaultToThoseOfParseServer() throws {
        let settings = try load().api(masterKey: Secret("own")).accounts
        #expect(settings == AccountSettings())
        #expect(settings.sessionLength == .seconds(31_536_000))
        #expect(!settings.extendsSessionsOnUse && settings.keepsUsersPrivate)
        #expect(settings.lockout == nil && settings.passwordStrength == .standard)
    }

    @Test func eachAccountSettingReachesTheAPI() throws {
        let settings = try load([
            .sessionLength: ["60"], .extendSessionOnUse: ["true"], .enforcePrivateUsers: ["off"],
            .accountLockoutThreshold: ["3"], .passwordPattern: ["^.{8,}$"], .passwordForbidUsername: ["true"],
        ]).api(masterKey: Secret("own")).accounts
        var expected = AccountSettings()
        expected.sessionLength = .seconds(60)
        expected.extendsSessionsOnUse = true
        expected.keepsUsersPrivate = false
        expected.lockout = Lockout(threshold: 3, duration: .seconds(300))
        expected.passwordPolicy.pattern = "^.{8,}$"
        expected.passwordPolicy.allowsUsername = false
        #expect(settings == expected)
    }

    @Test(arguments: [
        (Setting.passwordPattern, "("), (.sessionLength, "0"), (.accountLockoutThreshold, "-1"),
    ])
    func anInvalidAccountSettingIsNamedInTheError(key: Setting, text: String) {
        let error = #expect(throws: ConfigurationError.self) { try load([key: [text]]) }
        #expect(error?.description.hasPrefix("\(key.option): ") == true)
    }
}
