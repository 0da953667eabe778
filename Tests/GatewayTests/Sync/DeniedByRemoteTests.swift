import ParseModel
import Testing

/// Tests that a replica without access rights of its own lists the writes that the remote will refuse, as far as it
/// knows the rights.
@Suite("Writes that the remote will refuse")
struct DeniedByRemoteTests {
    private func denied(_ world: World, _ id: String) async throws -> JSONValue? {
        let answer = try await world.replica.send("GET /classes/Holiday/\(id)?_sync=true", clock: world.clock).1
        return try #require(answer["_sync"]?.object, "\(answer)")["denied"]
    }

    @Test func syncStateOfAnObjectListsTheWritesThatItsRemoteACLDenies() async throws {
        let world = try await World.make()
        let both: JSONValue = ["update", "delete"]
        let acls: [(JSONValue, JSONValue?)] = [
            (["*": ["read": true]], both), (["*": ["read": true], "someone": ["write": true]], both),
            (["*": ["read": true, "write": true]], nil),
            // The replica does not know its own roles at the remote, so it does not count a write by a role as
            // refused.
            (["*": ["read": true], "role:Editors": ["write": true]], nil),
        ]
        var ids: [String] = []
        for (acl, _) in acls { ids.append(try await world.hub.store.create("Holiday", ["ACL": acl])) }
        ids.append(try await world.hub.store.create("Holiday", ["name": "without an ACL"]))
        try await world.replica.sync()
        for (id, (acl, expected)) in zip(ids, acls) {
            #expect(try await denied(world, id) == expected, "\(acl)")
        }
        #expect(try await denied(world, try #require(ids.last)) == nil)
        // The remote does not have this object yet. Until then, its author may change it.
        let own = try await world.replica.store.create("Holiday", ["ACL": ["*": ["read": true]]])
        #expect(try await denied(world, own) == nil)
    }
}
