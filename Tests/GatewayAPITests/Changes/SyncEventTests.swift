import ParseModel
import RemoteService
import Testing

@Suite("Sync events in change streams", .timeLimit(.minutes(5)))
struct SyncEventTests {
    private let waits = Waits()
    private let sync = FakeSync()
    private let pause = Duration.milliseconds(500)
    private let gateway: Gateway

    init() { gateway = Gateway.make(sync: sync, waits: waits) }

    /// The sync state in the next `sync` event of a stream.
    private func state(_ reader: EventReader) async throws -> JSONValue? {
        let event = try #require(await reader.next("sync"))
        #expect(event.id == nil)
        return try JSONReader.read(event.data ?? "").object?["state"]
    }

    @Test func changeStreamBeginsWithTheSyncStatus() async throws {
        let reader = try EventReader(await gateway.stream())
        let event = try #require(await reader.next("sync"))
        #expect(event.data == (await gateway.send("GET /sync").text))
        // A stream that is opened later also begins with the sync status.
        #expect(try await state(EventReader(await gateway.stream())) == "idle")
    }

    @Test func changedSyncStatusIsSentToChangeStreams() async throws {
        let reader = try EventReader(await gateway.stream())
        #expect(try await state(reader) == "idle")
        for state: SyncStatus.State in [.running, .idle, .paused] {
            sync.change(to: state)
            waits.end(pause)
            #expect(try await self.state(reader) == .string(state.rawValue))
        }
    }

    @Test func syncStatusChangesInQuickSuccessionAreSentAsOneEvent() async throws {
        let reader = try EventReader(await gateway.stream())
        #expect(try await state(reader) == "idle")
        for failures in 0..<100 { sync.change(to: .running, failures: failures) }
        waits.end(pause)
        let event = try #require(await reader.next("sync"))
        #expect(try JSONReader.read(event.data ?? "").object?["circuit"]?.object?["failures"] == 99)
    }

    @Test func slowChangeStreamGetsOnlyTheLatestSyncStatus() async throws {
        let (slow, fast) = (try EventReader(await gateway.stream()), try EventReader(await gateway.stream()))
        for state: SyncStatus.State in [.running, .paused] {
            #expect(try await self.state(fast) != nil)
            sync.change(to: state)
            waits.end(pause)
        }
        #expect(try await state(fast) == "paused")
        #expect(try await state(slow) == "paused")
    }

    @Test func anUnchangedSyncStatusIsNotSentAgain() async throws {
        let reader = try EventReader(await gateway.stream("?since=latest"))
        #expect(try await state(reader) == "idle")
        // A commit of the store or an event of the sync engine may leave the sync status unchanged.
        gateway.store.change()
        waits.end(pause)
        #expect(await reader.changes(1) == [1])
        sync.change(to: .running)
        waits.end(pause)
        #expect(try await state(reader) == "running")
    }

    @Test func aSyncStatusThatCannotBeReadIsReadAgain() async throws {
        sync.failOnce()
        let reader = try EventReader(await gateway.stream())
        waits.end(.seconds(5))
        #expect(try await state(reader) == "idle")
    }

    @Test func changeStreamOfAStandaloneGatewayHasASyncStatus() async throws {
        let gateway = Gateway.make(store: MemoryStore("Holiday", ids: ["a"]), waits: waits)
        let reader = try EventReader(await gateway.stream())
        let event = try #require(await reader.next("sync"))
        #expect(event.data == (await gateway.send("GET /sync").text))
    }
}
