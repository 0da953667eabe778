import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// Live queries of users, whose rights decide which events they get.
@Suite("Rights of live queries")
struct LiveRightsTests {
    private let directory: TemporaryDirectory
    private let clock = TestClock()
    private let hub: Hub

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: clock, allowsChosenIds: true)
    }

    private var store: LocalStore { hub.store }
    private let query: JSONObject = ["className": "Holiday", "where": [:]]

    private struct User {
        let id: String
        let token: String
        var pointer: JSONValue { Pointer(className: "_User", objectId: id).json }
    }

    @discardableResult
    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject, token: String? = nil
    )
        async throws -> JSONObject
    {
        var headers: HTTPFields = [HTTPField.Name("Host")!: "127.0.0.1:1338"]
        if let token { headers[HTTPField.Name("X-Parse-Session-Token")!] = token }
        let response = await hub.api.handle(
            HTTPServerRequest(method: method, path: path, headers: headers, body: body.jsonBytes)
        ).response()
        return try JSONReader.read(response.body).object ?? [:]
    }

    private func signUp(_ name: String) async throws -> User {
        let answer = try await send(.post, "/users", ["username": .string(name), "password": "p w"])
        return User(
            id: try #require(answer["objectId"]?.string), token: try #require(answer["sessionToken"]?.string))
    }

    private func probe(of user: User) async throws -> LiveProbe {
        let probe = try await LiveProbe.connected(to: hub.api, ["sessionToken": .string(user.token)])
        #expect(try await probe.subscribe(1, query)["op"] == "subscribed")
        return probe
    }

    private func readable(by ids: String...) -> JSONValue {
        .object(JSONObject(ids.map { ($0, ["read": true] as JSONValue) }))
    }

    @Test func objectsOfOthersGiveNoEvents() async throws {
        let (kiri, tom) = (try await signUp("kiri"), try await signUp("tom"))
        let probe = try await probe(of: kiri)
        try await store.create("Holiday", ["n": 1, "ACL": readable(by: tom.id)])
        try await store.create("Holiday", ["n": 2, "ACL": readable(by: kiri.id)])
        try await store.create("Holiday", ["n": 3])
        #expect(try await probe.events(2) == ["create 1 2", "create 1 3"])
    }

    @Test func lostRightIsALeaveWithoutTheUnreadableState() async throws {
        let kiri = try await signUp("kiri")
        let probe = try await probe(of: kiri)
        try await store.create("Holiday", ["objectId": "a", "n": 1, "ACL": readable(by: kiri.id)])
        try await store.update("Holiday", "a", ["n": 2, "ACL": [:]])
        try await store.update("Holiday", "a", ["n": 3])
        try await store.update("Holiday", "a", ["n": 4, "ACL": readable(by: kiri.id)])
        #expect(try await probe.events(3) == ["create 1 1", "leave 1 1 was 1", "enter 1 4"])
    }

    @Test func tokenOfTheSubscriptionCountsMoreThanTheConnections() async throws {
        let (kiri, tom) = (try await signUp("kiri"), try await signUp("tom"))
        let probe = try await LiveProbe.connected(to: hub.api, ["sessionToken": .string(kiri.token)])
        try await probe.subscribe(1, query, ["sessionToken": .string(tom.token)])
        try await probe.subscribe(2, query)
        try await store.create("Holiday", ["n": 1, "ACL": readable(by: tom.id)])
        try await store.create("Holiday", ["n": 2, "ACL": readable(by: kiri.id)])
        #expect(Set(try await probe.events(2)) == ["create 1 1", "create 2 2"])
    }

    @Test func invalidTokenHasTheRightsOfThePublic() async throws {
        let kiri = try await signUp("kiri")
        let probe = try await LiveProbe.connected(to: hub.api, ["sessionToken": "r:wrong"])
        #expect(try await probe.subscribe(1, query)["op"] == "subscribed")
        try await store.create("Holiday", ["n": 1, "ACL": readable(by: kiri.id)])
        try await store.create("Holiday", ["n": 2])
        #expect(try await probe.events(1) == ["create 1 2"])
    }

    @Test func eventsFollowTheRolesOfTheUser() async throws {
        let kiri = try await signUp("kiri")
        let role = try await store.create("_Role", ["name": "staff", "ACL": [:]])
        let probe = try await probe(of: kiri)
        try await store.create("Holiday", ["objectId": "a", "n": 1, "ACL": readable(by: "role:staff")])
        try await store.update(
            "_Role", role, ["users": ["__op": "AddRelation", "objects": [kiri.pointer]]])
        #expect(try await probe.events(1) == ["enter 1 1"])
        try await store.update("Holiday", "a", ["n": 2])
        #expect(try await probe.events(2).last == "update 1 2 was 1")
        try await store.update(
            "_Role", role, ["users": ["__op": "RemoveRelation", "objects": [kiri.pointer]]])
        #expect(try await probe.events(3).last == "leave 1 2 was 2")
        try await store.update("Holiday", "a", ["n": 3])
        try await store.create("Holiday", ["n": 9])
        #expect(try await probe.events(4).last == "create 1 9")
    }

    @Test func classThatMayNotBeListedRefusesTheSubscription() async throws {
        _ = try await store.changeSchema("Holiday") { _ in
            var schema = ClassSchema("Holiday")
            schema.permissions = ["find": [:], "get": ["*": true]]
            return SchemaChange(schema)
        }
        let probe = try await LiveProbe.connected(to: hub.api)
        #expect(try await probe.subscribe(1, query)["code"] == 119)
        // As on Parse Server, a query for one id needs the right to get.
        #expect(
            try await probe.subscribe(2, ["className": "Holiday", "where": ["objectId": "a"]])["op"] == "subscribed")
        try await store.create("Holiday", ["objectId": "a", "n": 1])
        #expect(try await probe.events(1) == ["create 2 1"])
    }

    @Test func permissionThatIsTakenAwayEndsTheEvents() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, query)
        try await store.create("Holiday", ["objectId": "a", "n": 1])
        _ = try await probe.events(1)
        _ = try await store.changeSchema("Holiday") { before in
            var schema = before ?? ClassSchema("Holiday")
            schema.permissions = ["find": [:], "get": [:]]
            return SchemaChange(schema)
        }
        #expect(try await probe.events(2).last == "leave 1 1 was 1")
    }

    @Test func protectedFieldsAreMissing() async throws {
        _ = try await store.changeSchema("Holiday") { _ in
            var schema = ClassSchema("Holiday")
            schema.permissions = ["find": ["*": true], "get": ["*": true], "protectedFields": ["*": ["secret"]]]
            return SchemaChange(schema)
        }
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, query)
        try await store.create("Holiday", ["objectId": "a", "n": 1, "secret": "x"])
        try await store.update("Holiday", "a", ["secret": "y"])
        let event = try await probe.message("update")
        for member in ["object", "original"] {
            #expect(event[member]?.object?["n"] == 1)
            #expect(event[member]?.object?["secret"] == nil)
        }
    }

    @Test func fieldThatBecomesProtectedEndsTheSubscriptionsThatNameIt() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, ["className": "Holiday", "where": ["n": ["$gt": 1]]])
        try await probe.subscribe(2, ["className": "Holiday", "where": [:], "watch": ["n"]])
        try await probe.subscribe(3, query)
        try await store.create("Holiday", ["objectId": "a", "n": 2])
        _ = try await probe.events(3)
        _ = try await store.changeSchema("Holiday") { before in
            var schema = before ?? ClassSchema("Holiday")
            schema.permissions = ["find": ["*": true], "get": ["*": true], "protectedFields": ["*": ["n"]]]
            return SchemaChange(schema)
        }
        try await store.update("Holiday", "a", ["n": 1])
        for id in 1...2 {
            let error = try await probe.message(after: 0) { $0["op"] == "error" && $0["requestId"] == .int(id) }
            #expect(error["code"] == 119 && error["reconnect"] == false)
        }
        #expect(try await probe.events(4).last == "update 3 - was -")
    }

    @Test func pointersOfTheRightToGetDecideAboutSubscriptionsToOneObject() async throws {
        let (kiri, tom) = (try await signUp("kiri"), try await signUp("tom"))
        _ = try await store.changeSchema("Holiday") { _ in
            var schema = ClassSchema("Holiday")
            schema.permissions = ["find": [:], "get": ["pointerFields": ["owner"]]]
            return SchemaChange(schema)
        }
        try await store.create("Holiday", ["objectId": "a", "n": 1, "owner": kiri.pointer])
        let one: JSONObject = ["className": "Holiday", "where": ["objectId": "a"]]
        let probes = [
            try await LiveProbe.connected(to: hub.api, ["sessionToken": .string(kiri.token)]),
            try await LiveProbe.connected(to: hub.api, ["sessionToken": .string(tom.token)]),
        ]
        for probe in probes { #expect(try await probe.subscribe(1, one)["op"] == "subscribed") }
        try await store.update("Holiday", "a", ["n": 2])
        #expect(try await probes[0].events(1) == ["update 1 2 was 1"])
        try await store.update("Holiday", "a", ["n": 3, "owner": tom.pointer])
        #expect(try await probes[0].events(2).last == "leave 1 2 was 2")
        #expect(try await probes[1].events(1) == ["enter 1 3"])
    }

    @Test(.timeLimit(.minutes(5))) func endOfTheSessionEndsTheSubscriptionWithoutAFurtherChange() async throws {
        let directory = try TemporaryDirectory()
        let waking = WakingClock(clock)
        let hub = try Hub(directory, clock: clock, environment: waking.environment)
        let token = try #require(
            try await hub.api.send("POST /users", ["username": "kiri", "password": "p w"]).1["sessionToken"])
        let probe = try await LiveProbe.connected(to: hub.api, ["sessionToken": token])
        try await probe.subscribe(1, query)
        try await probe.subscribe(2, query)
        let stranger = try await LiveProbe.connected(to: hub.api)
        try await stranger.subscribe(1, query)
        for id in try hub.store.all("_Session").keys { try await hub.store.delete("_Session", id) }
        try await until {
            if !waking.rests.isEmpty { waking.advance(.seconds(1)) }
            return probe.messages.count { $0["code"] == 209 } == 2
        }
        #expect(!stranger.messages.contains { $0["op"] == "error" })
    }

    @Test func endOfTheSessionEndsTheSubscription() async throws {
        let kiri = try await signUp("kiri")
        let probe = try await probe(of: kiri)
        try await send(.post, "/logout", [:], token: kiri.token)
        try await store.create("Holiday", ["n": 1, "ACL": readable(by: kiri.id)])
        let error = try await probe.message("error")
        #expect(error["code"] == 209)
        #expect(error["requestId"] == 1)
        #expect(probe.events.isEmpty)
    }

    @Test func userSeesOwnSessionsOnly() async throws {
        let kiri = try await signUp("kiri")
        let probe = try await LiveProbe.connected(to: hub.api, ["sessionToken": .string(kiri.token)])
        #expect(
            try await probe.subscribe(1, ["className": "_Session", "where": [:]])["op"] == "subscribed")
        _ = try await signUp("tom")
        _ = try await send(.post, "/login", ["username": "kiri", "password": "p w"])
        let event = try await probe.message("create")
        #expect(event["object"]?.object?["user"]?.object?["objectId"] == .string(kiri.id))
        #expect(event["object"]?.object?["sessionToken"] == nil)
    }
}
