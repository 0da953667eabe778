import GatewayAPI
import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// The protocol of live queries at a standalone gateway.
@Suite("Live queries")
struct LiveQueryTests {
    private let directory: TemporaryDirectory
    private let clock = TestClock()
    private let hub: Hub

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: clock, allowsChosenIds: true)
    }

    private var store: LocalStore { hub.store }

    // MARK: Connecting

    @Test(arguments: ["/", "/parse", "/1"]) func eachMountPathOpensAConnection(path: String) async throws {
        let probe = try await LiveProbe(to: hub.api, path: path)
        probe.send(["op": "connect", "applicationId": "app", "installationId": "phone"])
        let answer = try await probe.message("connected")
        #expect(answer["installationId"] == "phone")
        #expect(answer["clientId"]?.string?.isEmpty == false)
    }

    @Test func pageOfAnotherOriginGetsNoConnection() async throws {
        let response = await LiveProbe.open(hub.api, "/", [.origin: "https://evil.example"])
        #expect(response.status == .forbidden)
    }

    @Test func unknownHostGetsNoConnection() async throws {
        let response = await LiveProbe.open(hub.api, "/", [HTTPField.Name("Host")!: "evil.example"])
        #expect(response.status == .forbidden)
    }

    @Test func connectionNeedsTheKeysOfTheGateway() async throws {
        let directory = try TemporaryDirectory()
        let closed = try Hub(
            directory, clock: clock, keys: ClientKeys(applicationId: "app", clients: [.javaScript: "js"]))
        let probe = try await LiveProbe(to: closed.api)
        probe.send(["op": "connect", "applicationId": "app", "javascriptKey": "wrong"])
        let error = try await probe.message("error")
        #expect(error["code"] == 4)
        #expect(error["reconnect"] == true)
        probe.send(["op": "subscribe", "requestId": 1, "query": ["className": "Holiday", "where": [:]]])
        #expect(try await probe.message(after: 1) { _ in true }["code"] == 2)
        probe.send(["op": "connect", "applicationId": "app", "javascriptKey": "js"])
        _ = try await probe.message("connected")
    }

    @Test(arguments: [
        ("not json", 1), ("[]", 1), (#"{"op":7}"#, 1), (#"{"op":"sing"}"#, 3), (#"{"op":"connect"}"#, 1),
        (#"{"op":"unsubscribe","requestId":5}"#, 2), (#"{"op":"subscribe","query":{}}"#, 1),
        (#"{"op":"subscribe","requestId":1}"#, 1), (#"{"op":"subscribe","requestId":1,"query":{"where":{}}}"#, 1),
        (#"{"op":"subscribe","requestId":1,"query":{"className":"A","where":7}}"#, 1),
        (#"{"op":"query","requestId":1}"#, 2), (#"{"op":"query","requestId":1.5}"#, 1),
        (#"{"op":"query","requestId":9007199254740993}"#, 1), (#"{"op":"query","requestId":1e400}"#, 1),
        (#"{"op":"query","requestId":-1}"#, 2), (#"{"op":"query","requestId":1e3}"#, 2),
    ]) func wrongRequestGetsTheCodeOfParseServer(text: String, code: Int) async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        probe.send(text: text)
        let error = try await probe.message("error")
        #expect(error["code"] == .int(code), "\(error)")
    }

    // MARK: Events

    @Test func changesBecomeEvents() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        let answer = try await probe.subscribe(1, ["className": "Holiday", "where": ["n": ["$gt": 1]]])
        #expect(answer["op"] == "subscribed")
        try await store.create("Holiday", ["objectId": "low", "n": 1])
        try await store.create("Holiday", ["objectId": "a", "n": 2])
        try await store.update("Holiday", "a", ["n": 3])
        try await store.update("Holiday", "low", ["n": 4])
        try await store.update("Holiday", "low", ["n": 0])
        try await store.delete("Holiday", "a")
        #expect(
            try await probe.events(5) == [
                "create 1 2", "update 1 3 was 2", "enter 1 4 was 1", "leave 1 0 was 4", "delete 1 3",
            ])
    }

    @Test func eventContainsTheWholeObject() async throws {
        let probe = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await probe.subscribe(7, ["className": "Holiday", "where": [:]])
        try await store.create("Holiday", ["objectId": "a", "n": 2, "name": "x"])
        let event = try await probe.message("create")
        let object = try #require(event["object"]?.object)
        #expect(object["__type"] == "Object")
        #expect(object["className"] == "Holiday")
        #expect(object["objectId"] == "a")
        #expect(object["name"] == "x")
        #expect(object["createdAt"]?.string != nil)
        #expect(event["installationId"] == "phone")
        #expect(event["clientId"]?.string != nil)
        #expect(event["requestId"] == 7)
        #expect(event["number"] == 1)
        #expect(event["original"] == nil)
    }

    @Test(arguments: ["keys", "fields"]) func keysLimitTheFields(member: String) async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": [:], member: ["n"]])
        try await store.create("Holiday", ["objectId": "a", "n": 2, "name": "x"])
        let object = try #require(try await probe.message("create")["object"]?.object)
        #expect(Set(object.keys) == ["__type", "className", "objectId", "createdAt", "updatedAt", "n"])
    }

    @Test func watchedFieldsDecideAboutUpdates() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": [:], "watch": ["n"]])
        try await store.create("Holiday", ["objectId": "a", "name": "x"])
        try await store.update("Holiday", "a", ["name": "y"])
        try await store.update("Holiday", "a", ["n": 5])
        try await store.delete("Holiday", "a")
        #expect(try await probe.events(2) == ["update 1 5 was -", "delete 1 5"])
    }

    @Test func subscriptionsOfOneConnectionGetTheirOwnEvents() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": ["n": 1]])
        try await probe.subscribe(2, ["className": "Birthday", "where": [:]])
        try await store.create("Holiday", ["n": 1])
        try await store.create("Holiday", ["n": 2])
        try await store.create("Birthday", ["n": 3])
        #expect(Set(try await probe.events(2)) == ["create 1 1", "create 2 3"])
    }

    @Test func secondSubscriptionWithOneIdReplacesTheFirst() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": ["n": 1]])
        try await probe.subscribe(1, ["className": "Holiday", "where": ["n": 2]])
        try await store.create("Holiday", ["n": 1])
        try await store.create("Holiday", ["n": 2])
        #expect(try await probe.events(1) == ["create 1 2"])
    }

    @Test func updateChangesTheQueryOfASubscription() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": ["n": 1]])
        probe.send(["op": "update", "requestId": 1, "query": ["className": "Holiday", "where": ["n": 2]]])
        _ = try await probe.message(after: 2) { $0["op"] == "subscribed" }
        try await store.create("Holiday", ["n": 1])
        try await store.create("Holiday", ["n": 2])
        #expect(try await probe.events(1) == ["create 1 2"])
    }

    @Test func unsubscribedQueryGetsNoEvents() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": [:]])
        try await probe.subscribe(2, ["className": "Holiday", "where": [:]])
        probe.send(["op": "unsubscribe", "requestId": 1])
        #expect(try await probe.message("unsubscribed")["requestId"] == 1)
        try await store.create("Holiday", ["n": 1])
        #expect(try await probe.events(1) == ["create 2 1"])
    }

    @Test(arguments: [
        (#"{"className":"Holiday","where":{"n":{"$inQuery":{"className":"B","where":{}}}}}"#, 102),
        (#"{"className":"Holiday","where":{"n":{"$regex":"("}}}"#, 102),
        (#"{"className":"Holiday","where":{"$or":7}}"#, 102),
        (#"{"className":"Holiday","where":{"n":{"$sings":7}}}"#, 107),
        (#"{"className":"_Session","where":{}}"#, 209),
        (#"{"className":"_User","where":{"email":"a@b.c"}}"#, 119),
        (#"{"className":"_User","where":{},"watch":["email"]}"#, 119),
        (#"{"className":"_GlobalConfig","where":{}}"#, 119), (#"{"className":"_Join:a:B","where":{}}"#, 119),
        (#"{"className":"9","where":{}}"#, 103), (#"{"className":"a b","where":{}}"#, 103),
        (#"{"className":"_Unknown","where":{}}"#, 103), (#"{"className":"Ferien\u0000","where":{}}"#, 103),
    ]) func forbiddenOrWrongQueryIsRefusedAsByREST(text: String, code: Int) async throws {
        let query = try #require(try JSONReader.read(text).object)
        let probe = try await LiveProbe.connected(to: hub.api)
        let error = try await probe.subscribe(3, query)
        #expect(error["op"] == "error")
        #expect(error["code"] == .int(code), "\(error)")
        #expect(error["reconnect"] == false)
    }

    @Test func findOverTheConnectionAnswersTheMatchingObjects() async throws {
        try await store.create("Holiday", ["objectId": "a", "n": 1, "name": "x"])
        try await store.create("Holiday", ["objectId": "b", "n": 2])
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": ["n": 1], "keys": ["n"]])
        probe.send(["op": "query", "requestId": 1])
        let answer = try await probe.message("result")
        #expect(answer["requestId"] == 1)
        let results = try #require(answer["results"]?.array)
        #expect(results.map { $0.object?["objectId"] } == ["a"])
        #expect(results[0].object?["name"] == nil)
    }

    // MARK: Coming back

    private func query(_ condition: JSONObject = [:]) -> JSONObject {
        ["className": "Holiday", "where": .object(condition)]
    }

    @Test func clientThatComesBackGetsWhatItHasMissed() async throws {
        let first = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await first.subscribe(1, query())
        try await store.create("Holiday", ["objectId": "a", "n": 1])
        _ = try await first.events(1)
        first.vanish()
        try await store.update("Holiday", "a", ["n": 2])
        try await store.update("Holiday", "a", ["n": 3])
        try await store.delete("Holiday", "a")
        let second = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await second.subscribe(1, query())
        // The first event was not confirmed, so it may come again.
        #expect(
            try await second.events(4).suffix(3) == ["update 1 2 was 1", "update 1 3 was 2", "delete 1 3"])
    }

    @Test func positionOfTheClientCountsMost() async throws {
        let first = try await LiveProbe.connected(to: hub.api)
        try await first.subscribe(1, query())
        try await store.create("Holiday", ["n": 1])
        let number = try #require(try await first.message("create")["number"])
        try await store.create("Holiday", ["n": 2])
        first.vanish()
        let second = try await LiveProbe.connected(to: hub.api)
        try await second.subscribe(1, query(), ["since": number])
        #expect(try await second.events(1) == ["create 1 2"])
    }

    @Test(arguments: ["tablet", nil]) func otherClientStartsAfterTheNewestChange(installation: String?) async throws {
        let first = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await first.subscribe(1, query())
        first.vanish()
        try await store.create("Holiday", ["n": 1])
        let second = try await LiveProbe.connected(
            to: hub.api, installation.map { ["installationId": .string($0)] } ?? [:])
        try await second.subscribe(1, query())
        try await store.create("Holiday", ["n": 2])
        #expect(try await second.events(1) == ["create 1 2"])
    }

    @Test func clientThatHasUnsubscribedMissesNothing() async throws {
        let first = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await first.subscribe(1, query())
        first.send(["op": "unsubscribe", "requestId": 1])
        _ = try await first.message("unsubscribed")
        try await store.create("Holiday", ["n": 1])
        try await first.subscribe(1, query())
        try await store.create("Holiday", ["n": 2])
        #expect(try await first.events(1) == ["create 1 2"])
    }

    @Test func positionThatIsTooOldIsAnErrorWithReconnect() async throws {
        try await store.create("Holiday", ["n": 1])
        let probe = try await LiveProbe.connected(to: hub.api)
        let error = try await probe.subscribe(1, query(), ["since": 0])
        #expect(error["op"] == "error")
        #expect(error["reconnect"] == true)
        #expect(error["error"]?.string?.hasPrefix("Changes since the last subscription are no longer known.") == true)
        // The client queries anew, and subscribes again.
        #expect(try await probe.subscribe(1, query())["op"] == "subscribed")
    }

    /// A newly loaded page has the installation id of the one before, so it must be able to subscribe.
    @Test func clientThatComesBackTooLateIsSubscribedAndGetsAnError() async throws {
        let first = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await first.subscribe(1, query())
        clock.advance(.seconds(2 * 3600))
        let api = hub.restartedAPI()
        let second = try await LiveProbe.connected(to: api, ["installationId": "phone"])
        #expect(try await second.subscribe(1, query())["op"] == "subscribed")
        let error = try await second.message("error")
        #expect(error["requestId"] == 1 && error["code"] == 119 && error["reconnect"] == false)
        try await store.create("Holiday", ["n": 1])
        #expect(try await second.events(1) == ["create 1 1"])
        // The error comes once, and the events since then are kept.
        second.vanish()
        try await store.create("Holiday", ["n": 2])
        let third = try await LiveProbe.connected(to: api, ["installationId": "phone"])
        try await third.subscribe(1, query())
        while try await third.events(1).last != "create 1 2" { try Task.checkCancellation() }
        #expect(third.messages.allSatisfy { $0["op"] != "error" })
    }

    /// The clock jumps, and the store drops the states of classes whose time has ended.
    @Test func subscriptionsWhoseChangesWereNotRecordedEndWithReconnect() async throws {
        let first = try await LiveProbe.connected(to: hub.api)
        try await first.subscribe(1, query())
        clock.advance(.seconds(3 * 3600))
        let guests = (0..<1000).map { WriteRequest.create(className: "Guest", body: ["n": .int($0)]) }
        for made in await store.perform(guests, atomically: false) { _ = try made.get() }
        let second = try await LiveProbe.connected(to: hub.api)
        #expect(try await second.subscribe(1, query())["op"] == "subscribed")
        let error = try await first.message("error")
        #expect(error["requestId"] == 1 && error["reconnect"] == true)
    }

    @Test func withoutResumptionEachClientStartsAfterTheNewestChange() async throws {
        let directory = try TemporaryDirectory()
        let hub = try Hub(directory, clock: clock, liveResume: .zero)
        let first = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await first.subscribe(1, query())
        clock.advance(.seconds(5))
        let second = try await LiveProbe.connected(to: hub.api, ["installationId": "tablet"])
        try await second.subscribe(1, query())
        try await hub.store.create("Holiday", ["n": 1])
        #expect(try await first.events(1) == ["create 1 1"])
        first.vanish()
        try await hub.store.create("Holiday", ["n": 2])
        let back = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await back.subscribe(1, query())
        try await hub.store.create("Holiday", ["n": 3])
        #expect(try await back.events(1) == ["create 1 3"])
    }
}
