import Testing

@testable import Gateway

/// Settings reach the parts of the gateway that they concern.
@Suite("Settings of the parts")
struct ConfigurationPartsTests {
    private var configuration: GatewayConfiguration {
        var configuration = GatewayConfiguration(dataDirectory: "/data")
        configuration.remote = GatewayConfiguration.Remote(
            url: "https://example.org/parse", applicationId: "app", masterKey: Secret("theirs"))
        return configuration
    }

    @Test func fieldsOfAClassAreBoundedByDefault() {
        var configuration = configuration
        #expect(configuration.store {}.classFieldsMax == 1000)
        configuration.classFieldsMax = 7
        #expect(configuration.store {}.classFieldsMax == 7)
    }

    @Test func requestIdsAreForgottenByDefault() {
        var configuration = configuration
        #expect(configuration.api(masterKey: Secret("own")).idempotencyTTL == nil)
        configuration.idempotencyTTL = .seconds(300)
        #expect(configuration.api(masterKey: Secret("own")).idempotencyTTL == .seconds(300))
    }

    @Test func masterKeysOfBothSidesAreKnownToTheAPI() {
        let keys = configuration.api(masterKey: Secret("own")).keys
        #expect([keys.masterKey, keys.remoteMasterKey] == ["own", "theirs"])
    }

    @Test func syncsKeepToTheirLimits() {
        var configuration = configuration
        #expect(configuration.syncOptions.recentAuditInterval == .seconds(300))
        #expect(configuration.syncOptions.classObjectsMax == 10_000_000)
        #expect(configuration.syncOptions.diskFreeMin == 256 << 20)
        configuration.recentAuditInterval = .seconds(20)
        configuration.recentAuditWindow = .seconds(90)
        configuration.classObjectsMax = 8
        configuration.diskFreeMin = 9
        let options = configuration.syncOptions
        #expect((options.recentAuditInterval, options.recentAuditWindow) == (.seconds(20), .seconds(90)))
        #expect((options.classObjectsMax, options.diskFreeMin) == (8, 9))
        configuration.dataDirectory = "/"
        #expect(configuration.syncOptions.freeBytes() != nil)
    }
}
