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
        #expect(configuration.store().classFieldsMax == 1000)
        configuration.classFieldsMax = 7
        #expect(configuration.store().classFieldsMax == 7)
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

    /// The session of the owner is for the page of a replica with users, and its link must not cross a network.
    @Test func ownerSessionsAreForAReplicaWithUsersOnThisMachine() {
        var configuration = configuration
        configuration.webDirectory = "/web"
        #expect(!configuration.offersOwnerSessions)
        for mode in [PeopleSettings.Mode.personal, .site] {
            configuration.people.mode = mode
            #expect(configuration.offersOwnerSessions)
        }
        var other = configuration
        other.listen = ListenAddress(host: "192.168.0.7", port: 1338)
        #expect(!other.offersOwnerSessions)
        other = configuration
        other.webDirectory = nil
        #expect(!other.offersOwnerSessions)
        other = configuration
        other.remote = nil
        #expect(!other.offersOwnerSessions)
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
