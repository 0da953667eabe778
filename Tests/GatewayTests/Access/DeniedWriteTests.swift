import Foundation
import ParseModel
import Testing

/// A write is answered as denied only if the caller may read the object. Any other caller gets the answer for a
/// missing object.
@Suite("Writes without the right to write")
struct DeniedWriteTests {
    private static let readByAll: JSONValue = ["*": ["read": true]]

    private func world(_ acl: JSONValue?) async throws -> RightsWorld {
        let world = try await RightsWorld()
        try await world.setACL(acl)
        return world
    }

    @Test(arguments: ["PUT", "DELETE"])
    func writeWithoutTheRightToAReadableObjectIsAnsweredAsDenied(method: String) async throws {
        let world = try await world(Self.readByAll)
        let body: JSONObject? = method == "PUT" ? ["n": 8] : nil
        for headers in [[:], ["If-Match": "*"], ["If-Match": "\"0123456789abcdef0123456789abcdef\""]] {
            let answer = try await world.send(
                .eve, method, "/classes/Secret/\(world.secret)", body, headers: headers)
            #expect(answer.status == 404 && answer.code == 101 && answer.error == "Object not found.", "\(answer.json)")
            #expect(answer.json["denied"] == true, "\(answer.json)")
        }
        #expect(try await world.stored()?["n"] == 7)
    }

    @Test(arguments: ["PUT", "DELETE"])
    func writeWithoutTheRightToAnUnreadableObjectIsAnsweredAsNotFound(method: String) async throws {
        let world = try await world(["someone else": ["read": true, "write": true]])
        let body: JSONObject? = method == "PUT" ? ["n": 8] : nil
        for headers in [[:], ["If-Match": "*"]] {
            let hidden = try await world.send(
                .eve, method, "/classes/Secret/\(world.secret)", body, headers: headers)
            let missing = try await world.send(.eve, method, "/classes/Secret/missing", body, headers: headers)
            #expect(hidden.status == missing.status && hidden.text == missing.text)
            #expect(hidden.json["denied"] == nil, "\(hidden.json)")
        }
    }

    @Test(arguments: ["PUT", "DELETE"])
    func writeWithoutTheRightToAnotherUserIsAnsweredAsDenied(method: String) async throws {
        let world = try await RightsWorld()
        let body: JSONObject? = method == "PUT" ? ["n": 8] : nil
        let path = try "/users/\(world.id(of: .ada))"
        #expect(try await world.send(.eve, method, path, body).json["denied"] == nil)
        _ = try await world.send(.master, "PUT", path, ["ACL": Self.readByAll])
        let shown = try await world.send(.eve, method, path, body)
        #expect(shown.code == 206 && shown.json["denied"] == true, "\(shown.json)")
        let missing = try await world.send(.eve, method, "/users/missing", body)
        #expect(missing.code == 206 && missing.json["denied"] == nil, "\(missing.json)")
    }

    @Test func batchedWriteWithoutTheRightIsAnsweredAsDenied() async throws {
        let world = try await world(Self.readByAll)
        let items: [JSONValue] = [
            ["method": "PUT", "path": .string("/classes/Secret/\(world.secret)"), "body": ["n": 8]],
            ["method": "DELETE", "path": "/classes/Secret/missing"],
        ]
        let answer = try await world.send(.eve, "POST", "/batch", ["requests": .array(items)])
        let errors = try JSONReader.read(answer.text).array?.map { $0.object?["error"]?.object }
        #expect(errors?.first??["code"] == 101 && errors?.first??["denied"] == true, "\(answer.text)")
        #expect(errors?.last??["code"] == 101 && errors?.last??["denied"] == nil, "\(answer.text)")
    }

    /// The member `denied` of the object's `_sync`: the operations that the caller may not perform.
    private func denied(_ caller: RightsWorld.Caller, _ world: RightsWorld) async throws -> JSONValue? {
        let read = try await world.send(caller, "GET", "/classes/Secret/\(world.secret)?_sync=true")
        let list = try await world.find(caller, "Secret", ["_sync": true])
        let mark = try #require(read.json["_sync"]?.object, "\(read.text)")
        #expect(list.results.first?["_sync"]?.object == mark, "\(list.text)")
        return mark["denied"]
    }

    private static let both: JSONValue = ["update", "delete"]

    @Test func syncStateOfAnObjectListsWritesThatItsACLDenies() async throws {
        let world = try await world(["*": ["read": true], "role:Editors": ["write": true]])
        #expect(try await denied(.eve, world) == Self.both)
        #expect(try await denied(.everybody, world) == Self.both)
        #expect(try await denied(.rob, world) == nil)
        #expect(try await denied(.master, world) == nil)
        try await world.setACL(nil)
        #expect(try await denied(.eve, world) == nil)
    }

    @Test func syncStateOfAnObjectListsWritesThatTheClassPermissionsDeny() async throws {
        let world = try await world(nil)
        let all: JSONObject = ["*": true]
        try await world.permit(["find": .object(all), "get": .object(all), "update": .object(all), "delete": [:]])
        #expect(try await denied(.eve, world) == ["delete"])
        try await world.permit([
            "find": .object(all), "get": .object(all), "update": [:], "delete": [:], "writeUserFields": ["owner"],
            "protectedFields": ["*": ["owner"]],
        ])
        #expect(try await denied(.ada, world) == nil)
        #expect(try await denied(.eve, world) == Self.both)
    }

    /// The member `denied` of a class in the sync status.
    private func deniedInClass(_ caller: RightsWorld.Caller, _ world: RightsWorld) async throws -> JSONValue? {
        let status = try await world.send(caller, "GET", "/sync")
        let classes = status.json["classes"]?.array?.compactMap(\.object)
        return try #require(classes?.first { $0["name"] == "Secret" }, "\(status.text)")["denied"]
    }

    @Test func syncStatusListsWritesThatTheClassPermissionsDeny() async throws {
        let world = try await world(Self.readByAll)
        #expect(try await deniedInClass(.eve, world) == nil)
        let all: JSONObject = ["*": true]
        try await world.permit([
            "find": .object(all), "get": .object(all), "count": .object(all), "create": ["role:Editors": true],
            "update": ["requiresAuthentication": true], "delete": [:], "addField": [:], "writeUserFields": ["owner"],
        ])
        #expect(try await deniedInClass(.everybody, world) == ["create", "update"])
        #expect(try await deniedInClass(.eve, world) == ["create"])
        #expect(try await deniedInClass(.rob, world) == nil)
        #expect(try await deniedInClass(.master, world) == nil)
        try await world.permit(["find": .object(all), "count": .object(all)])
        #expect(try await deniedInClass(.eve, world) == ["create", "update", "delete", "addField"])
    }
}
