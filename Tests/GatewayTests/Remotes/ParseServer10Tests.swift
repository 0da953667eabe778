import HTTPServer
import ParseModel
import ParseRemote
import RemoteService
import Testing

@testable import Gateway
@testable import SyncEngine

/// A replica of a server with the announced defaults of Parse Server 10.
@Suite("A replica of Parse Server 10", .timeLimit(.minutes(5)))
struct ParseServer10Tests {
    private let directory: TemporaryDirectory
    private let server: ParseServer10
    private let transport: HandlerTransport
    private let replica: SyncedReplica
    private var clock: TestClock { server.gateway.clock }

    init() async throws {
        directory = try TemporaryDirectory()
        server = try ParseServer10(protectedFields: ["secret"])
        transport = HandlerTransport(server, clock: server.gateway.clock)
        replica = try await SyncedReplica(
            directory, transport: transport, clock: server.gateway.clock, classes: ["Note"], batchMax: 200)
    }

    private func expectNothingWaits() async throws {
        #expect(try await replica.store.figures().pending == 0)
        #expect(try replica.store.rejections().isEmpty)
    }

    @Test func aPushOfMoreThan100ChangesIsSplitAtTheBatchLimit() async throws {
        try await replica.sync()
        for n in 0..<250 { try await replica.store.create("Note", ["n": .int(n)]) }
        try await replica.sync()
        let sizes = transport.takeSent().filter { $0.line == "POST /batch" && $0.body.contains(#""POST""#) }
            .map { $0.body.ranges(of: #""method""#).count }
        #expect(sizes.max() == 200)
        #expect(sizes.filter { $0 > 100 }.count == 1)
        #expect(await replica.engine.remote.limits?.current.batch == 100)
        #expect(try server.gateway.store.all("Note").values.compactMap { $0["n"]?.int }.sorted() == Array(0..<250))
        try await expectNothingWaits()
    }

    @Test func changesWithFilesArriveWithoutFileURLs() async throws {
        try await replica.sync()
        let client = FileClient(api: replica.api(clock))
        let photo = try await client.upload("a.png", "a")
        let inner = try await client.upload("b.png", "b")
        for n in 0..<3 {
            _ = try await client.json(
                .post, "/classes/Note", ["n": .int(n), "photo": photo, "album": [inner], "best": ["photo": inner]])
        }
        try await replica.sync()
        let notes = try server.gateway.store.all("Note").values
        #expect(notes.count == 3)
        for note in notes {
            #expect(note["photo"]?.object?["name"]?.string?.hasSuffix("_a.png") == true)
            #expect(note["album"]?.array?.first?.object?["name"]?.string?.hasSuffix("_b.png") == true)
            #expect(note["best"]?.object?["photo"]?.object?["name"]?.string?.hasSuffix("_b.png") == true)
        }
        try await expectNothingWaits()
    }

    @Test func answersWithoutProtectedFieldsEraseNoField() async throws {
        try await replica.sync()
        let id = try await replica.store.create("Note", ["text": "a", "secret": "s", "count": 1])
        try await replica.sync(.init(pulls: false))
        let there = try #require(try server.gateway.store.all("Note").keys.first)
        #expect(try replica.store.fields("Note", id) ?? replica.store.fields("Note", there) != nil)
        try await replica.store.update("Note", there, ["count": ["__op": "Increment", "amount": 2]])
        try await replica.sync(.init(pulls: false))
        let here = try #require(try replica.store.fields("Note", there))
        #expect(here["secret"] == "s" && here["count"] == 3 && here["text"] == "a")
        #expect(try server.gateway.store.fields("Note", there)?["count"] == 3)
        try await expectNothingWaits()
    }

    @Test func aForwardedIncludeOfTwelveLevelsIsCompleted() async throws {
        let gateway = server.gateway
        var next = try await gateway.create("Book", ["level": 12])
        for level in (1..<12).reversed() {
            next = try await gateway.create("Book", ["level": .int(level), "next": pointer(next)])
        }
        let user = try await gateway.signUp("ada")
        let fields: JSONObject = ["level": 0, "next": pointer(next), "ACL": ["*": ["read": true]]]
        #expect(try await gateway.send("PUT /users/\(user.id)", fields, as: user).status == 200)
        let remote = ParseRemote(
            configuration: .init(serverURL: "http://localhost:1337/parse", applicationId: "app", replicaId: "replica"),
            transport: transport)
        let forwarder = RemoteForwarder(
            service: remote.calls!, masterKey: nil, circuit: RemoteCircuit(environment: clock.advancing)
        ) { false }
        let api = replica.api(clock, remote: forwarder)
        let path = Array(repeating: "next", count: 12).joined(separator: ".")
        let (status, answer) = try await api.send("GET /users/\(user.id)?include=\(path)")
        #expect(status == 200, "\(answer.jsonText)")
        var levels: [Int] = []
        var object: JSONObject? = answer
        while let current = object {
            levels.append(current["level"]?.int ?? -1)
            object = current["next"]?.object
        }
        #expect(levels == Array(0...12))
    }

    private func pointer(_ book: String) -> JSONValue { Pointer(className: "Book", objectId: book).json }
}
