import GatewayAPI
import ParseModel
import StoreService
import Testing

/// Changes and deletions of users by other users. As on a Parse Server, the ACL of the changed user decides.
struct OthersRightsTests {
    private typealias User = (id: String, token: String)

    private static let rights: JSONValue = ["read": true, "write": true]

    /// Users for the tests: Eve and the role `staff` may write Ada's row. Ben is a member of `staff`. Mallory has no
    /// rights.
    private struct World {
        let client: AccountClient
        var ada, eve, ben, mallory: User

        init(_ change: (inout AccountSettings) -> Void = { _ in }) async throws {
            client = try AccountClient(change)
            eve = try await client.signUp("eve")
            ben = try await client.signUp("ben")
            mallory = try await client.signUp("mallory")
            let acl: JSONObject = [eve.id: ["write": true], "role:staff": rights]
            ada = try await client.signUp("ada", "secret", ["ACL": .object(acl)])
            let member = Pointer(className: "_User", objectId: ben.id).json
            let role = try await client.send(
                "POST", "/roles",
                ["name": "staff", "ACL": [:], "users": ["__op": "AddRelation", "objects": [member]]], master: true)
            #expect(role.status == 201, "\(role.text)")
        }

        var byOthers: [User] { [eve, ben] }

        func field(_ name: String) async throws -> JSONValue? {
            try await client.send("GET", "/users/\(ada.id)", master: true).json[name]
        }
    }

    @Test func userMayChangeAnotherUserWhoseACLAllowsIt() async throws {
        let world = try await World()
        for (user, city) in zip(world.byOthers, ["Rome", "Oslo"]) {
            let answer = try await world.client.send(
                "PUT", "/users/\(world.ada.id)", ["city": .string(city)], as: user.token)
            #expect(answer.status == 200 && Array(answer.json.keys) == ["updatedAt"], "\(answer.text)")
            #expect(try await world.field("city") == .string(city))
        }
        for path in ["/users/\(world.ada.id)", "/classes/_User/\(world.ada.id)"] {
            for body in [["city": "x"], ["password": "x"], ["email": "x@example.org"]] as [JSONObject] {
                expectError(
                    try await world.client.send("PUT", path, body, as: world.mallory.token), 400, 206,
                    "Insufficient auth.")
            }
            expectError(
                try await world.client.send("DELETE", path, as: world.mallory.token), 400, 206, "Insufficient auth.")
        }
        expectError(
            try await world.client.send("PUT", "/users/none", ["city": "x"], as: world.mallory.token), 400, 206,
            "Insufficient auth.")
        #expect(try await world.field("city") == "Oslo")
    }

    @Test func aRequestWithoutASessionCannotChangeAUser() async throws {
        let world = try await World()
        let acl: JSONValue = ["*": Self.rights, world.ada.id: Self.rights]
        #expect(
            try await world.client.send("PUT", "/users/\(world.ada.id)", ["ACL": acl], as: world.ada.token).status
                == 200)
        expectError(
            try await world.client.send("PUT", "/users/\(world.ada.id)", ["city": "x"]), 400, 206,
            "Cannot modify user \(world.ada.id).")
        expectError(
            try await world.client.send("DELETE", "/users/\(world.ada.id)"), 400, 206,
            "Insufficient auth to delete user")
        #expect(
            try await world.client.send("PUT", "/users/\(world.ada.id)", ["city": "Rome"], as: world.mallory.token)
                .status == 200)
    }

    /// An earlier version left users without an ACL. Only the user may change such a row.
    @Test func aUserWithoutAnACLCannotBeChangedByOthers() async throws {
        let world = try await World()
        _ = try await world.client.store.perform(
            [.update(className: "_User", objectId: world.ada.id, body: ["ACL": ["__op": "Delete"]])], as: .master,
            atomically: true)
        guard try await world.field("ACL") == nil else { return }
        expectError(
            try await world.client.send("PUT", "/users/\(world.ada.id)", ["city": "x"], as: world.mallory.token), 400,
            206, "Insufficient auth.")
    }

    @Test func passwordSetByAnotherUserEndsAllSessionsAndOpensNone() async throws {
        let world = try await World()
        let answer = try await world.client.send(
            "PUT", "/users/\(world.ada.id)", ["password": "new"], as: world.eve.token)
        #expect(answer.status == 200 && answer.token == nil, "\(answer.text)")
        #expect(try await !world.client.isOpen(world.ada.token))
        #expect(try await world.client.isOpen(world.eve.token))
        #expect(try await world.client.logIn("ada").status == 404)
        #expect(try await world.client.logIn("ada", "new").status == 200)
    }

    @Test func rulesForUserNamesAlsoHoldForChangesByOtherUsers() async throws {
        let world = try await World()
        expectError(
            try await world.client.send("PUT", "/users/\(world.ada.id)", ["username": "ben"], as: world.eve.token),
            400, 202, "Account already exists for this username.")
        expectError(
            try await world.client.send("PUT", "/users/\(world.ada.id)", ["emailVerified": true], as: world.eve.token),
            400, 119, "Clients aren't allowed to manually update email verification.")
        let closed = try await world.client.send(
            "PUT", "/users/\(world.ada.id)", ["ACL": .object([world.eve.id: Self.rights])], as: world.eve.token)
        #expect(closed.status == 200, "\(closed.text)")
        #expect(
            try await world.field("ACL") == .object([world.eve.id: Self.rights, world.ada.id: Self.rights]))
        #expect(try await world.client.isOpen(world.ada.token))
    }

    @Test func userMayDeleteAnotherUserWhoseACLAllowsIt() async throws {
        for place in 0...1 {
            let world = try await World()
            let answer = try await world.client.send(
                "DELETE", "/users/\(world.ada.id)", as: world.byOthers[place].token)
            #expect(answer.status == 200 && answer.json == [:], "\(answer.text)")
            #expect(try await !world.client.isOpen(world.ada.token))
        }
    }

    @Test func theClassPermissionsRestrictChangesOfOtherUsers() async throws {
        let world = try await World()
        let closed = try await world.client.send(
            "PUT", "/schemas/_User",
            ["classLevelPermissions": ["find": ["*": true], "get": ["*": true], "create": ["*": true]]], master: true)
        #expect(closed.status == 200, "\(closed.text)")
        #expect(
            try await world.client.send("PUT", "/users/\(world.ada.id)", ["city": "x"], as: world.eve.token).code
                == 119)
    }
}
