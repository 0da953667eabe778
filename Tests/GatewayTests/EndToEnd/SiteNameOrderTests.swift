import Foundation
import ParseModel
import Testing

/// Tests names of users and roles that become free by a deletion and are used again at a site replica.
@Suite("Reused names of users and roles at a site replica", .serialized)
struct SiteNameOrderTests {
    /// The sign-up is forwarded to the remote. First, the replica sends the pending deletion of the user who has the
    /// name.
    @Test func signUpWaitsForTheDeletionOfTheUserWithTheSameName() async throws {
        let (world, ada, _) = try await PeopleWorld.site()
        #expect(try await world.asOwner(.delete, "/users/\(ada.id)").status == 200)
        let answer = try await world.replica.send(.post, "/users", ["username": "Ada", "password": "ada"])
        #expect(answer.status == 201, "\(answer)")
        #expect(try await world.pendingUsers().isEmpty)
    }

    @Test func roleIsCreatedAfterTheDeletionOfTheRoleWithTheSameName() async throws {
        let (world, _, _) = try await PeopleWorld.site()
        let role: JSONValue = ["name": "crew", "ACL": ["*": ["read": true, "write": true]]]
        let first = try await world.asOwner(.post, "/roles", role)
        let id = try #require(first.json.object?["objectId"]?.string, "\(first)")
        try await world.syncSite()
        world.stopHub()
        #expect(try await world.asOwner(.delete, "/roles/\(id)").status == 200)
        #expect(try await world.asOwner(.post, "/roles", role).status == 201)
        try await world.startHub()
        try await world.syncSite()
        let rejections = try await world.asOwner(.get, "/sync/rejections").json.object?["results"]?.array
        #expect(rejections?.isEmpty == true)
        let roles = try await world.hub.send(.get, "/roles", masterKey: "hub").json.object?["results"]?.array
        #expect(roles?.compactMap { $0.object?["name"]?.string } == ["crew"])
        #expect(roles?.first?.object?["objectId"] != .string(id))
    }
}
