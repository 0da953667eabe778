import ParseModel
import StoreService
import Testing

struct AnonymousUserTests {
    private static let identity: JSONObject = ["authData": ["anonymous": ["id": "device-1"]]]

    @Test func anonymousUserSignsUpAndLogsInByTheSameRoute() async throws {
        let client = try AccountClient()
        let first = try await client.send("POST", "/users", Self.identity)
        #expect(first.status == 201)
        let id = try #require(first.json["objectId"]?.string)
        #expect(first.json["username"]?.string?.count == 25)
        let session = try await client.send("GET", "/sessions/me", as: first.token)
        #expect(session.json["createdWith"] == ["action": "login", "authProvider": "anonymous"])

        let second = try await client.send("POST", "/users", Self.identity)
        #expect(second.status == 200)
        #expect(second.json["objectId"] == .string(id) && second.json["authData"] == Self.identity["authData"])
        #expect(second.location == "http://127.0.0.1:1338/users/\(id)")
        #expect(try await client.isOpen(try #require(second.token)))
        let batch = try await client.send(
            "POST", "/batch", ["requests": [["method": "POST", "path": "/users", "body": .object(Self.identity)]]])
        let success = try JSONReader.read(batch.text).array?.first?.object?["success"]?.object
        #expect(success?["objectId"] == .string(id) && success?["sessionToken"] != nil)
    }

    @Test func anonymousUserBecomesANamedUserByANameAndAPassword() async throws {
        let client = try AccountClient()
        let user = try await client.send("POST", "/users", Self.identity)
        let id = try #require(user.json["objectId"]?.string)
        let changed = try await client.send(
            "PUT", "/users/\(id)", ["username": "ada", "password": "p"], as: user.token)
        #expect(changed.status == 200)
        #expect(try await client.logIn("ada", "p").json["objectId"] == .string(id))
        #expect(try await client.send("GET", "/users/\(id)", master: true).json["authData"] == nil)
        // The anonymous identity is free again, so a sign-in with it creates another user.
        #expect(try await client.send("POST", "/users", Self.identity).status == 201)
    }

    @Test func anonymousIdCanBeAddedToAUserAndRemoved() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        #expect(try await client.send("PUT", "/users/\(ada.id)", Self.identity, as: ada.token).status == 200)
        #expect(try await client.send("POST", "/users", Self.identity).json["objectId"] == .string(ada.id))
        let eve = try await client.signUp("eve")
        expectError(
            try await client.send("PUT", "/users/\(eve.id)", Self.identity, as: eve.token), 400, 208,
            "this auth is already used")
        expectError(
            try await client.send("POST", "/users", Self.identity, as: eve.token), 400, 208, "this auth is already used"
        )
        #expect(
            try await client.send("PUT", "/users/\(ada.id)", ["authData": ["anonymous": nil]], as: ada.token).status
                == 200)
        #expect(try await client.send("PUT", "/users/\(eve.id)", Self.identity, as: eve.token).status == 200)
        for body in [
            ["authData": ["facebook": ["id": "1"]]], ["authData": nil], ["authData": ["__op": "Delete"]],
        ] as [JSONObject] {
            expectError(
                try await client.send("PUT", "/users/\(eve.id)", body, as: eve.token), 400, 252,
                "This authentication method is unsupported.")
        }
    }

    @Test(arguments: [["anonymous": [:]], ["anonymous": nil]] as [JSONObject])
    func aSignUpWithoutAnAnonymousIdNeedsANameAndAPassword(_ authData: JSONObject) async throws {
        let client = try AccountClient()
        expectError(
            try await client.send("POST", "/users", ["authData": .object(authData)]), 400, 252,
            "This authentication method is unsupported.")
        #expect(
            try await client.send(
                "POST", "/users", ["authData": .object(authData), "username": "ada", "password": "p"]
            ).status == 201)
    }

    @Test func authDataOfUsersCannotBeQueried() async throws {
        let client = try AccountClient()
        _ = try await client.send("POST", "/users", Self.identity)
        let token = try await client.signUp("eve").token
        for conditions in [
            ["authData.anonymous.id": "device-1"], ["_auth_data_anonymous.id": "device-1"],
            ["$or": [["_auth_data_anonymous": ["$exists": true]]]], ["authData": ["$exists": true]],
        ] as [JSONObject] {
            for user in [nil, token] {
                let answer = try await client.find("/users", where: conditions, as: user)
                #expect(answer.status == 400, "\(conditions)")
            }
        }
    }
}
