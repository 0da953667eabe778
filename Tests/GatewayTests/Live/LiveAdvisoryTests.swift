import GatewayAPI
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// The holes of Parse Server's LiveQuery, by the numbers of their advisories (GHSA), tried at the gateway's live queries.
/// `LiveRightsTests` has the advisories about rights of events.
@Suite("Advisories about live queries")
struct LiveAdvisoryTests {
    private let directory: TemporaryDirectory
    private let hub: Hub

    init() async throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: TestClock(), allowsChosenIds: true)
        _ = try await hub.store.changeSchema("Secret") { _ in
            var schema = ClassSchema("Secret")
            schema.permissions = ["find": ["*": true], "get": ["*": true], "protectedFields": ["*": ["text"]]]
            return SchemaChange(schema)
        }
    }

    @Test(arguments: [
        ("j7mm-f4rv-6q6q", #"{"where":{"text":"x"}}"#, 119),
        ("j7mm-f4rv-6q6q", #"{"where":{"text.deep":"x"}}"#, 119),
        ("j7mm-f4rv-6q6q", #"{"where":{"$or":[{"n":1},{"text":"x"}]}}"#, 119),
        ("qpc3-fg4j-8hgm", #"{"where":{},"watch":["text"]}"#, 119),
        ("qpc3-fg4j-8hgm", #"{"where":{},"watch":["text.deep"]}"#, 119),
        ("827p-g5x5-h86c", #"{"where":{"n":{"$regex":"["}}}"#, 102),
        ("827p-g5x5-h86c", #"{"where":{"n":{"$regex":{"source":5}}}}"#, 107),
        ("6qh5-m6g3-xhq6", #"{"where":\#(Self.deep)}"#, 102),
    ]) func subscriptionIsRefused(advisory: String, query: String, code: Int) async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        var object = try #require(try JSONReader.read(query).object)
        object["className"] = "Secret"
        #expect(try await probe.subscribe(1, object)["code"] == .int(code), "GHSA-\(advisory)")
        #expect(try await probe.subscribe(2, ["className": "Secret", "where": [:]])["op"] == "subscribed")
    }

    private static let deep =
        String(repeating: #"{"$or":["#, count: 30) + #"{"n":1}"# + String(repeating: "]}", count: 30)

    /// GHSA-mf3j-86qx-cq5j: a pattern that takes exponential time.
    @Test func slowPatternEndsItsSubscriptionAlone() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": ["name": ["$regex": "(a+)+$"]]])
        try await probe.subscribe(2, ["className": "Holiday", "where": [:]])
        try await hub.store.create("Holiday", ["n": 1, "name": .string(String(repeating: "a", count: 5000) + "!")])
        let error = try await probe.message("error")
        #expect(error["requestId"] == 1)
        #expect(error["code"] == 124)
        #expect(try await probe.events(1) == ["create 2 1"])
    }

    /// GHSA-fjxm-vhvc-gcmj: an operator in the place of a token.
    @Test(arguments: [#"{"$ne":null}"#, #"["r:x"]"#, "5", "true"])
    func tokenThatIsNoTextIsRefused(token: String) async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        let error = try await probe.subscribe(
            1, ["className": "Secret", "where": [:]], ["sessionToken": try JSONReader.read(token)])
        #expect(error["code"] == 1)
    }

    /// GHSA-m983-v2ff-wq65: the filter of one subscriber changes the object of the others.
    @Test func eachSubscriberGetsItsOwnFields() async throws {
        let (one, other) = (try await LiveProbe.connected(to: hub.api), try await LiveProbe.connected(to: hub.api))
        try await one.subscribe(1, ["className": "Holiday", "where": [:], "keys": ["n"]])
        try await other.subscribe(1, ["className": "Holiday", "where": [:]])
        try await hub.store.create("Holiday", ["n": 1, "name": "x"])
        #expect(try await one.message("create")["object"]?.object?["name"] == nil)
        #expect(try await other.message("create")["object"]?.object?["name"] == "x")
    }

    /// A list of allowed routes holds for live queries, too.
    @Test func classOutsideTheRouteAllowListIsRefused() async throws {
        let directory = try TemporaryDirectory()
        let hub = try Hub(
            directory, clock: TestClock(), keys: ClientKeys(masterKey: "master"),
            routeAllowList: ["classes/Holiday", "classes/Open.*"])
        let probe = try await LiveProbe.connected(to: hub.api)
        #expect(try await probe.subscribe(1, ["className": "Holiday", "where": [:]])["op"] == "subscribed")
        #expect(try await probe.subscribe(2, ["className": "OpenDay", "where": [:]])["op"] == "subscribed")
        for className in ["Secret", "HolidaySecret", "_Role"] {
            let refused = try await probe.subscribe(3, ["className": .string(className), "where": [:]])
            #expect(refused["code"] == 119, "\(className)")
            #expect(refused["reconnect"] == false)
        }
        probe.send(["op": "query", "requestId": 3])
        #expect(try await probe.message(after: 6) { $0["op"] == "error" }["code"] == 2)
        let master = try await LiveProbe.connected(to: hub.api, ["masterKey": "master"])
        #expect(try await master.subscribe(1, ["className": "Secret", "where": [:]])["op"] == "subscribed")
    }

    /// GHSA-2xm2-xj2q-qgpj: sessions in events.
    @Test(arguments: ["_Session", "_Installation"])
    func publicGetsNoSessionsAndInstallations(className: String) async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        #expect(try await probe.subscribe(1, ["className": .string(className), "where": [:]])["op"] == "error")
    }
}
