import ParseModel
import StoreService
import Testing

/// Tests `GET /changes` with `Accept: text/event-stream`, the change feed as server-sent events.
@Suite("Change streams", .timeLimit(.minutes(5)))
struct ChangeStreamTests {
    private let waits = Waits()
    private let gateway: Gateway
    private var store: MemoryStore { gateway.store }

    init() { gateway = Gateway.make(waits: waits) { $0.limits.streamsMax = 2 } }

    private func open(_ query: String = "", _ headers: [String: String] = [:]) async throws -> EventReader {
        try await EventReader(gateway.stream(query, headers))
    }

    @Test func changeStreamSendsChangesAsTheyAreMade() async throws {
        store.change(count: 2)
        let reader = try await open()
        #expect(await reader.next() == EventReader.Event(id: "0"))
        #expect(await reader.changes(2) == [1, 2])
        store.change()
        let data = #"{"number":3,"className":"Holiday","objectId":"o3","kind":"update","object":{"objectId":"o3"}}"#
        #expect(await reader.next("change") == EventReader.Event(id: "3", name: "change", data: data))
        store.change(count: 1000)
        #expect(await reader.changes(1000) == Array(4...1003))
    }

    @Test func changeStreamReadsOnlyAFewLargeObjectsAhead() async throws {
        store.change(count: 40)
        store.state.withLock { state in
            for place in state.changes.indices { state.changes[place] = state.changes[place].enlarged(to: 40_000) }
        }
        let reader = try await open()
        #expect(await reader.changes(40) == Array(1...40))
        let limits = store.state.withLock { $0.changeRequests.map(\.limit) }
        // A stream buffers one change, or as many changes as fit into 64 KiB.
        #expect(limits.filter { $0 < 500 }.allSatisfy { $0 <= 4 })
    }

    @Test func changeStreamIsAnsweredAsEventStream() async throws {
        let answer = await gateway.stream("?since=latest", ["Accept": "text/html, text/event-stream;q=0.9"])
        #expect(answer.status == 200)
        #expect(answer.isAtHand)
        #expect(answer.header("Content-Type") == "text/event-stream")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("X-Tidegate-Mode") == "standalone")
        _ = try EventReader(answer)
        for accept in ["*/*", "application/json", "text/event-streams"] {
            #expect(try await gateway.stream("", ["Accept": accept]).json.object?["next"] == 0)
        }
    }

    @Test func changeStreamContinuesAfterSinceOrLastEventID() async throws {
        store.change(count: 10)
        #expect(await (try open("?since=7")).changes(3) == [8, 9, 10])
        // The header `Last-Event-ID` takes precedence over the URL's `since`.
        #expect(await (try open("?since=2", ["Last-Event-ID": "8"])).changes(2) == [9, 10])
        let latest = try await open("?since=latest")
        #expect(await latest.next() == EventReader.Event(id: "10"))
        store.change()
        #expect(await latest.changes(1) == [11])
    }

    @Test func changeStreamHasOnlyTheRequestedClasses() async throws {
        store.change("Holiday")
        store.change("Birthday")
        let reader = try await open("?classes=Birthday,Other")
        #expect(await reader.changes(1) == [2])
        store.change("Holiday", count: 100)
        store.change("Birthday")
        #expect(await reader.changes(1) == [103])
    }

    @Test func changesAreSentWithoutTheirObjectsOnRequest() async throws {
        store.change(count: 2)
        let data = #"{"number":1,"className":"Holiday","objectId":"o1","kind":"update"}"#
        #expect(await (try open("?objects=false")).next("change")?.data == data)
        #expect(await gateway.send("GET /changes?objects=false&limit=1").text == #"{"results":[\#(data)],"next":1}"#)
        #expect(await (try open("?objects=true")).next("change")?.data?.contains(#""object":{"#) == true)
        #expect(await gateway.stream("?objects=no").status == 400)
    }

    @Test func changeStreamShowsUserObjectsToTheMasterKeyOnly() async throws {
        let gateway = Gateway.make(waits: waits) { $0.keys.masterKey = "master" }
        gateway.store.change("_User")
        let reader = try await EventReader(gateway.stream())
        let master = try await EventReader(gateway.stream("", ["X-Parse-Master-Key": "master"]))
        // The stream reads the first change from the store, and the second from the in-memory window that all streams
        // share.
        for _ in 0..<2 {
            #expect(await reader.next("change")?.data?.contains("object\":{") == false)
            #expect(await master.next("change")?.data?.contains("object\":{") == true)
            gateway.store.change("_User")
        }
    }

    /// Streams share a window of recent changes, which has no entries for changed rights. A changed right must wake
    /// them separately.
    @Test func changeOfAccessRightsWakesOpenChangeStreams() async throws {
        let reader = try await open()
        #expect(await reader.next("sync") != nil)
        while case .bytes = reader.stream.next() {}
        let (wakes, wake) = AsyncStream<Void>.makeStream()
        reader.stream.setWaker { wake.yield() }
        store.changeRights()
        for await _ in wakes { break }
        #expect(!Task.isCancelled)
    }

    @Test func heartbeatContainsThePositionOfTheChangeStream() async throws {
        let reader = try await open("?classes=Birthday")
        #expect(await reader.next()?.id == "0")
        #expect(await reader.next("sync") != nil)
        waits.end(.seconds(15))
        #expect(await reader.next() == EventReader.Event())
        store.change("Holiday", count: 5)
        store.change("Birthday")
        #expect(await reader.changes(1) == [6])
        store.change("Holiday", count: 2)
        // An event on a second stream shows that the gateway has read the change feed to its end.
        let other = try await open("?since=6")
        #expect(await other.changes(2) == [7, 8])
        while case .bytes = reader.stream.next() {}
        waits.end(.seconds(15))
        #expect(await reader.next() == EventReader.Event(id: "8"))
    }

    @Test func laggingChangeStreamEndsAndTheClientCanReconnect() async throws {
        let gateway = Gateway.make(waits: waits) { $0.limits.streamLagMax = 5000 }
        let (slow, fast) = (try await EventReader(gateway.stream()), try await EventReader(gateway.stream()))
        gateway.store.change()
        #expect(await slow.changes(1) == [1])
        gateway.store.change(count: 5000)
        #expect(await fast.changes(5001) == Array(1...5001))
        // The slow reader's position is older than the window of recent changes, and within the lag limit.
        #expect(await slow.changes(1000) == Array(2...1001))
        gateway.store.change(count: 5000)
        #expect(await fast.changes(5000) == Array(5002...10_001))
        var read = 1001
        while let event = await slow.next() { read = event.id.flatMap(Int.init) ?? read }
        #expect(read < 5001)
        let again = try await EventReader(gateway.stream("", ["Last-Event-ID": "\(read)"]))
        #expect(await again.changes(10_001 - read) == Array(read + 1...10_001))
    }

    @Test func streamPositionOlderThanTheChangeFeedIsAnsweredWith410() async throws {
        store.change(count: 10)
        let reader = try await open()
        #expect(await reader.next()?.id == "0")
        store.state.withLock { $0.failure = StoreError.feedTrimmed(oldest: 8, newest: 10) }
        let gone = try #require(await reader.next("gone"))
        let data = try #require(try JSONReader.read(gone.data ?? "").object)
        #expect(data["code"] == 119 && data["oldest"] == 8)
        #expect(gone.id == nil)
        #expect(await reader.next() == nil)
        let late = await gateway.stream("?since=3")
        #expect(late.status == 410)
        #expect(try late.json.object?["oldest"] == 8)
    }

    @Test func numberOfOpenChangeStreamsIsLimited() async throws {
        var readers = [try await open(), try await open()]
        let answer = await gateway.stream()
        #expect(answer.status == 503)
        #expect(try answer.json.object?["error"]?.string?.contains("limit of 2 open") == true)
        #expect(await gateway.send("GET /changes").status == 200)
        #expect(await gateway.scrape().value("tidegate_change_streams") == 2)
        readers.removeLast()
        readers.append(try await open())
        store.change()
        for reader in readers { #expect(await reader.changes(1) == [1]) }
    }

    @Test(arguments: ["limit=3", "since=x", "since=-1", "order=number"])
    func invalidParametersOfChangeStreamAreAnsweredWith400(_ query: String) async throws {
        let answer = await gateway.stream("?\(query)")
        #expect(answer.status == 400)
        #expect(try answer.json.object?["code"] == 102)
    }

    @Test func anInvalidLastEventIDIsAnsweredWith400() async {
        #expect(await gateway.stream("", ["Last-Event-ID": "x"]).status == 400)
        #expect(await gateway.stream("", ["Last-Event-ID": ""]).status == 200)
    }

    @Test func changeStreamNeedsTheAccessKeyAndAnAllowedOrigin() async throws {
        let gateway = Gateway.make(waits: waits) {
            $0.accessKey = "key"
            $0.allowedOrigins = ["https://app.example"]
        }
        #expect(await gateway.stream().status == 403)
        let headers = ["X-Tidegate-Access-Key": "key", "Origin": "https://app.example"]
        let answer = await gateway.stream("", headers)
        #expect(answer.header("Access-Control-Allow-Origin") == "https://app.example")
        _ = try EventReader(answer)
        #expect(await gateway.stream("", headers.merging(["Origin": "https://evil.example"]) { $1 }).status == 403)
    }
}

extension Gateway {
    /// Opens a change stream.
    func stream(_ query: String = "", _ headers: [String: String] = [:]) async -> Answer {
        await send("GET /changes\(query)", headers.merging(["Accept": "text/event-stream"]) { own, _ in own })
    }
}
