import Testing

@testable import Gateway

/// Checks that settings reach the components of the gateway: the HTTP API, the sync and the remote.
@Suite("Settings of the gateway's components")
struct ConfigurationPartsTests {
    private var configuration: GatewayConfiguration {
        var configuration = GatewayConfiguration(dataDirectory: "/data")
        configuration.remote = GatewayConfiguration.Remote(
            url: "https://example.org/parse", applicationId: "app", masterKey: Secret("theirs"))
        return configuration
    }

    @Test func requestDeduplicationIsOffByDefault() {
        var configuration = configuration
        #expect(configuration.api(masterKey: Secret("own")).idempotencyTTL == nil)
        configuration.idempotencyTTL = .seconds(300)
        #expect(configuration.api(masterKey: Secret("own")).idempotencyTTL == .seconds(300))
    }

    @Test func localAndRemoteMasterKeyReachTheAPI() {
        let keys = configuration.api(masterKey: Secret("own")).keys
        #expect([keys.masterKey, keys.remoteMasterKey] == ["own", "theirs"])
    }

    /// An owner's session is for the web page of a replica with users. Its link must not cross a network, so only a
    /// gateway on loopback offers it.
    @Test func ownerSessionsExistOnlyInAReplicaWithUsersOnLoopback() {
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

    @Test func theSyncOptionsContainTheConfiguredLimits() {
        var configuration = configuration
        #expect(configuration.syncOptions.diskFreeMin == 256 << 20)
        configuration.diskFreeMin = 9
        configuration.dataDirectory = "/"
        #expect(configuration.syncOptions.diskFreeMin == 9)
        #expect(configuration.syncOptions.freeBytes() != nil)
    }
}
