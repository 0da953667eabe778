import HTTPTypes
import LocalStore
import ParseModel
import StoreSupport
import Testing

@testable import Gateway

/// Tests writes with `If-Match`: they succeed only if the object has the given tag.
@Suite("Writes with If-Match")
struct IfMatchTests {
    enum Mode: CaseIterable { case standalone, replica }

    private let world: World

    init() async throws { world = try await World.make(isOffline: true) }

    private func client(_ mode: Mode) -> TagClient {
        TagClient(mode == .standalone ? world.hub.api : world.replica.api(world.clock))
    }

    private func make(_ client: TagClient, _ body: JSONObject = ["n": 1, "name": "a"]) async throws -> String {
        try #require(try await client.send(.post, "/classes/Holiday", body).json["objectId"]?.string)
    }

    @Test(arguments: Mode.allCases) func writeWithAnOutdatedIfMatchTagIsRefusedWithTheCurrentObject(
        _ mode: Mode
    ) async throws {
        let client = client(mode)
        let id = try await make(client)
        let path = "/classes/Holiday/\(id)"
        let tag = try await client.tag("Holiday", id)
        #expect(try await client.send(.put, path, ["n": 2], ifMatch: tag).status == 200)
        let present = try await client.tag("Holiday", id)
        for method in [HTTPRequest.Method.put, .delete] {
            let answer = try await client.send(method, path, ["n": 3], ifMatch: tag)
            #expect(answer.status == 412)
            #expect(answer.json["code"] == 119)
            #expect(answer.tag == present)
            #expect(answer.json["object"]?.object?["n"] == 2)
            #expect(answer.json["object"]?.object?["objectId"] == .string(id))
            #expect(TagClient.tag(in: answer.json["object"]) == present)
        }
        #expect(try await client.send(.get, path).json["n"] == 2)
        let form: JSONObject = ["_method": "PUT", "_ApplicationId": "app", "n": 4]
        #expect(try await client.send(.post, path, form, ifMatch: tag).status == 412)
        #expect(try await client.send(.post, path, form, ifMatch: present).status == 200)
        let deletion: JSONObject = ["_method": "DELETE", "_ApplicationId": "app"]
        #expect(try await client.send(.post, path, deletion, ifMatch: present).status == 412)
        #expect(try await client.send(.delete, path, ifMatch: client.tag("Holiday", id)).status == 200)
    }

    @Test(arguments: Mode.allCases) func aWriteToADeletedObjectWithIfMatchIsRefusedWith412(_ mode: Mode) async throws {
        let client = client(mode)
        let id = try await make(client)
        let path = "/classes/Holiday/\(id)"
        let tag = try await client.tag("Holiday", id)
        #expect(try await client.send(.put, path, ["n": 2], ifMatch: "*").status == 200)
        #expect(try await client.send(.delete, path, ifMatch: "*").status == 200)
        for match in ["*", tag] {
            for method in [HTTPRequest.Method.put, .delete] {
                let answer = try await client.send(method, path, ["n": 1], ifMatch: match)
                #expect(answer.status == 412)
                #expect(answer.json["code"] == 101)
                #expect(answer.json["object"] == nil)
            }
        }
        #expect(try await client.send(.put, path, ["n": 1]).status == 404)
        #expect(try await client.send(.put, "/classes/Holiday/never", ["n": 1], ifMatch: "*").status == 412)
    }

    @Test func tagIsValidUnderLocalAndRemoteIdOfAnObject() async throws {
        let client = client(.replica)
        let id = try await make(client)
        let tag = try await client.tag("Holiday", id)
        world.transport.heal()
        try await world.replica.sync()
        let answer = try await client.send(.put, "/classes/Holiday/\(id)", ["n": 2], ifMatch: tag)
        #expect(answer.status == 200, "\(answer.json)")
    }

    @Test func severalTagsInIfMatchAreAlternatives() async throws {
        let client = client(.standalone)
        let id = try await make(client)
        let path = "/classes/Holiday/\(id)"
        let tag = try await client.tag("Holiday", id)
        #expect(try await client.send(.put, path, ["n": 1], ifMatch: "\"other\", \(tag)").status == 200)
        #expect(try await client.send(.put, path, ["n": 1], ifMatch: "W/\(tag)").status == 412)
        #expect(try await client.send(.put, path, ["n": 1], ifMatch: String(tag.dropFirst().dropLast())).status == 200)
    }

    @Test(arguments: ["", "nonsense", "\"open", "\"a\" \"b\"", "*, \"a\"", "W/", "\"a\",,b", "'a'"])
    func anInvalidIfMatchHeaderIsAnsweredWith400(_ match: String) async throws {
        let client = client(.standalone)
        let id = try await make(client)
        for method in [HTTPRequest.Method.put, .delete] {
            let answer = try await client.send(method, "/classes/Holiday/\(id)", ["n": 2], ifMatch: match)
            #expect(answer.status == 400)
            #expect(answer.json["code"] == 102)
        }
        #expect(try await client.send(.get, "/classes/Holiday/\(id)").json["n"] == 1)
    }

    @Test func anItemOfABatchHasItsOwnIfMatch() async throws {
        let client = client(.replica)
        let (one, two) = (try await make(client), try await make(client))
        let tag = try await client.tag("Holiday", one)
        func item(_ id: String, _ match: JSONValue, _ method: JSONValue = "PUT") -> JSONValue {
            ["method": method, "path": .string("/classes/Holiday/\(id)"), "body": ["n": 2], "ifMatch": match]
        }
        let requests: [JSONValue] = [
            item(one, .string(tag)), item(one, .string(tag)), item(two, "*"), item("never", "*"), item(two, "x"),
            item(two, 5), item(one, .string(tag), "DELETE"),
            // The header `If-Match` of the batch does not apply to its items.
            ["method": "PUT", "path": .string("/classes/Holiday/\(two)"), "body": ["n": 3]],
        ]
        let body: JSONObject = ["requests": .array(requests)]
        let answer = await client.client.send(.post, "/batch", [.ifMatch: "\"of no item\""], body.jsonBytes)
        let items = try JSONReader.read(answer.body).array?.map { $0.object ?? [:] } ?? []
        #expect(items.map { $0["success"] != nil } == [true, false, true, false, false, false, false, true])
        let errors = items.map { $0["error"]?.object ?? [:] }
        #expect(errors.map { $0["code"]?.int } == [nil, 119, nil, 101, 102, 102, 119, nil])
        #expect(errors[1]["object"]?.object?["n"] == 2)
        #expect(try await TagClient.tag(in: errors[1]["object"]) == client.tag("Holiday", one))
    }

    @Test func outdatedTagInOneItemUndoesTheWholeTransaction() async throws {
        let client = client(.standalone)
        let (one, two) = (try await make(client), try await make(client))
        let body: JSONObject = [
            "transaction": true,
            "requests": [
                ["method": "PUT", "path": .string("/classes/Holiday/\(one)"), "body": ["n": 2]],
                [
                    "method": "PUT", "path": .string("/classes/Holiday/\(two)"), "body": ["n": 2],
                    "ifMatch": "\"stale\"",
                ],
            ],
        ]
        let answer = try await client.send(.post, "/batch", body)
        #expect(answer.status == 412)
        #expect(answer.json["object"]?.object?["objectId"] == .string(two))
        #expect(try await client.send(.get, "/classes/Holiday/\(one)").json["n"] == 1)
    }

    /// Of many concurrent writers with the same tag, exactly one succeeds.
    @Test func onlyOneOfConcurrentWritesWithTheSameTagSucceeds() async throws {
        let client = client(.standalone)
        let id = try await make(client)
        let tag = try await client.tag("Holiday", id)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for n in 2...31 {
                group.addTask {
                    try await client.send(.put, "/classes/Holiday/\(id)", ["n": .int(n)], ifMatch: tag).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 412 } == 29)
    }

    @Test func forwardedWriteWithIfMatchOrBaseDateIsRefused() async throws {
        let client = client(.replica)
        for (path, body) in [("/users/u1", ["n": 1]), ("/classes/_Role/r", ["_base": "2026-01-01T00:00:00Z"])]
            as [(String, JSONObject)]
        {
            let match = body["_base"] == nil ? "\"a\"" : nil
            let answer = try await client.send(.put, path, body, ifMatch: match)
            #expect(answer.status == 400)
            #expect(answer.json["code"] == 108)
        }
    }
}
