import ParseModel
import StoreService
import Testing

struct UserChangeTests {
    @Test func userIsChangedUnderTheOwnSessionOnly() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let eve = try await client.signUp("eve")
        expectError(
            try await client.send("PUT", "/users/\(ada.id)", ["city": "x"]), 400, 206, "Cannot modify user \(ada.id).")
        expectError(
            try await client.send("PUT", "/users/\(ada.id)", ["password": "x"], as: eve.token), 400, 206,
            "Insufficient auth.")
        expectError(try await client.send("DELETE", "/users/\(ada.id)"), 400, 206, "Insufficient auth to delete user")
        expectError(
            try await client.send("DELETE", "/classes/_User/\(ada.id)", as: eve.token), 400, 206, "Insufficient auth.")
        let answer = try await client.send("PUT", "/users/\(ada.id)", ["city": "London"], as: ada.token)
        #expect(answer.status == 200 && Array(answer.json.keys) == ["updatedAt"])
        #expect(try await client.logIn("ada").json["city"] == "London")
    }

    @Test func newPasswordEndsAllOldSessionsAndOpensANewOne() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada", installation: "phone")
        let tablet = try #require(try await client.logIn("ada", installation: "tablet").token)
        #expect(try await client.isOpen(tablet))
        #expect(try await client.isOpen(ada.token))
        let answer = try await client.send(
            "PUT", "/users/\(ada.id)", ["password": "new"], as: ada.token, installation: "phone")
        let token = try #require(answer.token)
        #expect(try await !client.isOpen(ada.token))
        #expect(try await !client.isOpen(tablet))
        #expect(try await client.isOpen(token))
        #expect(try await client.logIn("ada").status == 404)
        #expect(try await client.logIn("ada", "new").status == 200)
    }

    @Test func theMasterKeyMaySetAPassword() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let answer = try await client.send("PUT", "/users/\(ada.id)", ["password": "new"], master: true)
        #expect(answer.status == 200 && answer.token == nil)
        #expect(try await !client.isOpen(ada.token))
        #expect(try await client.logIn("ada", "new").status == 200)
    }

    @Test func changeOfAUserWithTheMaintenanceKeyOpensNoSession() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let answer = try await client.send(
            "PUT", "/users/\(ada.id)", ["password": "new", "emailVerified": true],
            headers: ["X-Parse-Maintenance-Key": AccountClient.maintenanceKey])
        #expect(answer.status == 200 && answer.token == nil)
        #expect(try await client.logIn("ada", "new").json["emailVerified"] == true)
    }

    @Test func refusedChangeOfAUserKeepsThePasswordAndTheSessions() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        _ = try await client.signUp("eve")
        let answer = try await client.send(
            "PUT", "/users/\(ada.id)", ["password": "new", "username": "eve"], as: ada.token)
        #expect(answer.code == 202)
        #expect(try await client.isOpen(ada.token))
        #expect(try await client.logIn("ada").status == 200)
        for value in ["", nil, ["__op": "Delete"]] as [JSONValue] {
            expectError(
                try await client.send("PUT", "/users/\(ada.id)", ["password": value], as: ada.token), 400, 201,
                "password is required")
        }
    }

    @Test func aUserCannotRemoveTheOwnRightsFromTheOwnACL() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        #expect(
            try await client.send("PUT", "/users/\(ada.id)", ["ACL": ["*": ["read": true]]], as: ada.token).status
                == 200)
        let acl = try await client.send("GET", "/users/me", as: ada.token).json["ACL"]
        #expect(acl == ["*": ["read": true], ada.id: ["read": true, "write": true]].asJSON)
    }

    /// As on a Parse Server, an ACL of null changes nothing, and deleting the ACL leaves the user's own rights.
    @Test func theRemovalOfAUsersACLDoesNotMakeTheUserPublic() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada", "secret", ["ACL": ["__op": "Delete"]])
        let eve = try await client.signUp("eve", "secret", ["ACL": .null])
        for (user, master) in [(ada, false), (ada, true), (eve, false)] {
            for acl in [.null, ["__op": "Delete"]] as [JSONValue] where !(master && !acl.isNull) {
                let path = "/users/\(user.id)"
                let answer = try await client.send("PUT", path, ["ACL": acl], as: user.token, master: master)
                #expect(answer.status == 200)
                #expect(try await client.send("GET", "/users/\(user.id)").status == 404)
                let me = try await client.send("GET", "/users/me", as: user.token).json
                #expect(me["ACL"] == [user.id: ["read": true, "write": true]].asJSON)
            }
        }
        _ = try await client.send("PUT", "/users/\(ada.id)", ["ACL": ["__op": "Delete"]], master: true)
        #expect(try await client.send("GET", "/users/\(ada.id)", master: true).json["ACL"] == [:])
    }

    @Test func sessionTokenIsNeverStoredInTheUserObject() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada", "secret", ["sessionToken": "r:1"])
        #expect(try await client.send("PUT", "/users/\(ada.id)", ["sessionToken": "r:2"], as: ada.token).status == 200)
        #expect(try await client.send("GET", "/users/\(ada.id)", master: true).token == nil)
    }

    @Test func passwordsThatViolateTheRulesAreRefused() async throws {
        let client = try AccountClient {
            $0.passwordPolicy.pattern = "^(?=.*[0-9]).{6,}$"
            $0.passwordPolicy.allowsUsername = false
        }
        for (password, message) in [
            ("abc", "Password does not meet the Password Policy requirements."),
            ("my-ada-123", "Password cannot contain your username."),
        ] {
            expectError(
                try await client.send("POST", "/users", ["username": "ada", "password": .string(password)]), 400, 142,
                message)
        }
        let ada = try await client.signUp("ada", "secret1")
        expectError(
            try await client.send("PUT", "/users/\(ada.id)", ["password": "ada-12345"], as: ada.token), 400, 142,
            "Password cannot contain your username.")
    }
}
