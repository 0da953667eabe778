import Foundation
import ParseModel
import Testing

/// Names of users and roles that become free and are used again at a site replica, with real processes, sockets and files.
@Suite("Reused names of users and roles at a site replica", .serialized)
struct SiteNameOrderTests {
    /// The sign-up goes to the remote, and waits there for the deletion that the master key has made here.
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
