import GatewayAPI
import StoreService
import Testing

/// Tests when `GET /ready` reports the gateway as ready.
@Suite("Readiness of a gateway") struct ReadyRouteTests {
    private let ok = #"{"status":"ok"}"#

    private func replica(_ sync: FakeSync, _ users: Gateway.Users = .none, when: ReadyWhen) -> Gateway {
        Gateway.make(sync: sync, users: users) {
            $0.readyWhen = when
            $0.accessKey = "key"
        }
    }

    @Test(arguments: ReadyWhen.allCases)
    func standaloneGatewayIsReadyOnceItsStoreIsOpen(_ when: ReadyWhen) async {
        let gateway = Gateway.make {
            $0.readyWhen = when
            $0.accessKey = "key"
        }
        expect(await gateway.send("GET /ready"), 200, ok)
        #expect(await gateway.send("HEAD /ready").status == 200)
        #expect(await gateway.send("GET /ready", ["Host": "evil.example"]).status == 403)
        gateway.store.state.withLock { $0.failure = StoreError.database(operation: "read", reason: "disk I/O error") }
        expect(await gateway.send("GET /ready"), 503, #"{"error":"The local file cannot be read."}"#)
        expect(await gateway.send("GET /health"), 200, ok)
    }

    @Test func replicaWithDefaultSettingsIsReadyBeforeItsFirstSync() async {
        let sync = FakeSync()
        sync.showClass(initialSyncComplete: false)
        expect(await replica(sync, when: .open).send("GET /ready"), 200, ok)
    }

    @Test func replicaThatWaitsForItsFirstSyncIsReadyAfterIt() async {
        for users in [.none, .spaces(FakeSpaces()), .site(NamedUsers())] as [Gateway.Users] {
            let sync = FakeSync()
            sync.showClass(initialSyncComplete: false)
            let gateway = replica(sync, users, when: .synced)
            expect(
                await gateway.send("GET /ready"), 503,
                #"{"error":"The first sync is not complete. GET /sync shows its progress."}"#)
            expect(await gateway.send("GET /health"), 200, ok)
            sync.showClass(initialSyncComplete: true)
            expect(await gateway.send("GET /ready"), 200, ok)
        }
    }

    @Test func aClassThatIsAddedLaterDoesNotMakeAReplicaUnready() async {
        let sync = FakeSync()
        sync.showClass(initialSyncComplete: true)
        let gateway = replica(sync, when: .synced)
        expect(await gateway.send("GET /ready"), 200, ok)
        sync.showClass(initialSyncComplete: false)
        expect(await gateway.send("GET /ready"), 200, ok)
    }
}
