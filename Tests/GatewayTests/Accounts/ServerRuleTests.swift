import ParseModel
import StoreService
import Testing

/// Tests that the gateway follows Parse Server's rules about users, sessions, installations and internal classes.
struct ServerRuleTests {
    private static let identity: JSONObject = ["authData": ["anonymous": ["id": "device-1"]]]

    private func item(_ method: String, _ path: String, _ body: JSONValue = [:]) -> JSONValue {
        ["method": .string(method), "path": .string("/parse" + path), "body": body]
    }

    // MARK: Sessions

    @Test func sessionOfAnAnonymousSignUpHasTheActionLogin() async throws {
        let client = try AccountClient()
        let user = try await client.send("POST", "/users", Self.identity)
        let session = try await client.send("GET", "/sessions/me", as: user.token)
        #expect(session.json["createdWith"] == ["action": "login", "authProvider": "anonymous"])
        let named = try await client.signUp("ada")
        #expect(
            try await client.send("GET", "/sessions/me", as: named.token).json["createdWith"]
                == ["action": "signup", "authProvider": "password"])
    }

    @Test func loginAsWithoutAUserIdIsRefusedWithCode162() async throws {
        let client = try AccountClient()
        for body in [[:], ["userId": ""], ["userId": nil]] as [JSONObject] {
            expectError(
                try await client.send("POST", "/loginAs", body, master: true), 400, 162,
                "userId must not be empty, null, or undefined")
        }
    }

    @Test func anExpiredSessionCanStillBeReadByItsToken() async throws {
        let client = try AccountClient { $0.sessionLength = .seconds(60) }
        let token = try await client.signUp("ada").token
        client.clock.advance(.seconds(61))
        let answer = try await client.send("GET", "/sessions/me", as: token)
        #expect(answer.status == 200 && answer.token == token && answer.json["expiresAt"] != nil, "\(answer.text)")
        for (method, path) in [("GET", "/users/me"), ("PUT", "/sessions/me"), ("DELETE", "/sessions/me")] {
            expectError(
                try await client.send(method, path, method == "PUT" ? [:] : nil, as: token), 400, 209,
                "Session token is expired.")
        }
        // The session of a batch is checked before its items.
        expectError(
            try await client.send("POST", "/batch", ["requests": [item("GET", "/sessions/me")]], as: token), 400, 209,
            "Session token is expired.")
        expectError(
            try await client.send("GET", "/sessions/me", as: "r:unknown"), 400, 209, "Session token not found.")
    }

    // MARK: Anonymous users

    @Test func aSignUpWithTheAnonymousIdOfALockedUserCreatesANewUser() async throws {
        let client = try AccountClient()
        let first = try await client.send("POST", "/users", Self.identity)
        let id = try #require(first.json["objectId"]?.string)
        #expect(try await client.send("PUT", "/users/\(id)", ["ACL": [:]], master: true).status == 200)
        let second = try await client.send("POST", "/users", Self.identity)
        #expect(second.status == 201 && second.json["objectId"] != .string(id), "\(second.text)")
        let other = try #require(second.json["objectId"])
        #expect(try await client.isOpen(try #require(second.token)))
        let third = try await client.send("POST", "/users", Self.identity)
        #expect(third.status == 200 && third.json["objectId"] == other, "\(third.text)")
        // After the first user is unlocked, two users have this anonymous id, so it identifies neither.
        let acl: JSONValue = .object([id: ["read": true, "write": true]])
        #expect(try await client.send("PUT", "/users/\(id)", ["ACL": acl], master: true).status == 200)
        expectError(try await client.send("POST", "/users", Self.identity), 400, 208, "this auth is already used")
    }

    // MARK: Installations

    private func installations(_ client: AccountClient) async throws -> [String] {
        try await client.send("GET", "/installations?order=createdAt", master: true).results
            .compactMap { $0["objectId"]?.string }
    }

    private func install(_ client: AccountClient, _ body: JSONObject) async throws -> String {
        client.clock.advance(.seconds(1))
        let answer = try await client.send("POST", "/installations", body)
        return try #require(answer.json["objectId"]?.string, "\(answer.text)")
    }

    @Test(arguments: [true, false])
    func anInstallationWithAnIdReplacesTheOlderOneWithItsDeviceToken(namesItself: Bool) async throws {
        let client = try AccountClient()
        let old = try await install(client, ["installationId": "one", "deviceToken": "t", "deviceType": "android"])
        let new = try await install(client, ["installationId": "two", "deviceType": "android"])
        var body: JSONObject = ["deviceToken": "t"]
        if namesItself { body["objectId"] = .string(new) }
        let answer = try await client.send("PUT", "/installations/\(new)", body)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await installations(client) == (namesItself ? [new] : [old, new]))
    }

    @Test func anInstallationOfAnotherAppIsNotReplaced() async throws {
        let client = try AccountClient()
        let old = try await install(
            client,
            ["installationId": "one", "deviceToken": "t", "deviceType": "ios", "appIdentifier": "a"])
        let new = try await install(client, ["installationId": "two", "deviceType": "ios", "appIdentifier": "b"])
        let body: JSONObject = ["deviceToken": "t", "appIdentifier": "b", "objectId": .string(new)]
        #expect(try await client.send("PUT", "/installations/\(new)", body).status == 200)
        #expect(try await installations(client) == [old, new])
    }

    // MARK: Internal classes

    @Test(arguments: ["_PushStatus", "_JobStatus", "_JobSchedule", "_GlobalConfig"])
    func includeOfAClassThatNeedsTheMasterKeyIsRefused(_ className: String) async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        var id = "1"
        if className == "_GlobalConfig" {
            _ = try await client.send("PUT", "/config", ["params": ["secret": "x"]], master: true)
        } else {
            let made = try await client.send("POST", "/classes/\(className)", ["secret": "x"], master: true)
            id = try #require(made.json["objectId"]?.string, "\(made.text)")
        }
        let pointer = Pointer(className: className, objectId: id).json
        let note = try await client.send("POST", "/classes/Note", ["inner": pointer, "all": [pointer]])
        let noteId = try #require(note.json["objectId"]?.string, "\(note.text)")
        for path in ["/classes/Note/\(noteId)", "/classes/Note"] {
            for include in ["inner", "all", "*"] {
                for token in [nil, ada.token] {
                    let answer = try await client.send("GET", "\(path)?include=\(include)", as: token)
                    expectError(
                        answer, 400, 119,
                        "Clients aren't allowed to perform the get operation on the \(className) collection.")
                }
            }
            let plain = try await client.send("GET", path)
            #expect(plain.status == 200, "\(plain.text)")
            let master = try await client.send("GET", "\(path)?include=inner", master: true)
            #expect(master.status == 200 && master.text.contains("secret"), "\(master.text)")
        }
    }

    @Test func theMasterKeyMayDeleteTheConfig() async throws {
        let client = try AccountClient()
        _ = try await client.send("PUT", "/config", ["params": ["a": 1], "masterKeyOnly": ["a": true]], master: true)
        #expect(try await client.send("GET", "/classes/_GlobalConfig/1", master: true).status == 200)
        #expect(try await client.send("DELETE", "/classes/_GlobalConfig/1").code == 119)
        #expect(try await client.send("DELETE", "/classes/_GlobalConfig/2", master: true).code == 101)
        let answer = try await client.send("DELETE", "/classes/_GlobalConfig/1", master: true)
        #expect(answer.status == 200 && answer.json == [:], "\(answer.text)")
        #expect(try await client.send("GET", "/config", master: true).json == ["params": [:]])
        #expect(try await client.send("DELETE", "/classes/_GlobalConfig/1", master: true).code == 101)
        _ = try await client.send("PUT", "/config", ["params": ["a": 2]], master: true)
        let batch = try await client.send(
            "POST", "/batch", ["requests": [item("DELETE", "/classes/_GlobalConfig/1")]], master: true)
        #expect(batch.text == #"[{"success":{}}]"#, "\(batch.text)")
        #expect(try await client.send("GET", "/config").json == ["params": [:]])
    }

    // MARK: Permissions

    @Test func newFieldWithoutPermissionIsRefusedBeforeTypesAreChecked() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        _ = try await client.send(
            "POST", "/schemas/Note",
            [
                "fields": ["n": ["type": "Number"]],
                "classLevelPermissions": [
                    "find": ["*": true], "create": ["*": true], "update": ["*": true], "addField": [:],
                ],
            ], master: true)
        let pointers: JSONValue = [Pointer(className: "_User", objectId: ada.id).json]
        for body in [["n": "text", "owners": pointers], ["owners": pointers, "n": "text"]] as [JSONObject] {
            expectError(
                try await client.send("POST", "/classes/Note", body, as: ada.token), 400, 119,
                "Permission denied for action addField on class Note.")
        }
        expectError(
            try await client.send("POST", "/classes/Note", ["n": "text"], as: ada.token), 400, 111,
            "schema mismatch for Note.n; expected Number but got String")
    }

    // MARK: Purges

    @Test func purgeOfRolesOrSessionsEndsTheirRights() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let member = Pointer(className: "_User", objectId: ada.id).json
        let role = try await client.send(
            "POST", "/roles",
            ["name": "staff", "ACL": [:], "users": ["__op": "AddRelation", "objects": [member]]], master: true)
        #expect(role.status == 201, "\(role.text)")
        let note = try await client.send(
            "POST", "/classes/Note", ["ACL": ["role:staff": ["read": true, "write": true]]], master: true)
        let path = "/classes/Note/" + (try #require(note.json["objectId"]?.string))
        let position = try await client.send("GET", "/changes?since=0", as: ada.token)
        #expect(try await client.send("GET", path, as: ada.token).status == 200)
        #expect(try await client.send("DELETE", "/purge/_Role", master: true).status == 200)
        #expect(try await client.send("GET", path, as: ada.token).code == 101)
        #expect(try await client.send("PUT", path, ["n": 1], as: ada.token).code == 101)
        // The change feed either shows Ada a deletion of the note, or refuses her position.
        let next = position.json["next"]?.int ?? 0
        let changes = try await client.send("GET", "/changes?since=\(next)", as: ada.token)
        #expect(changes.status == 410 || changes.text.contains(#""kind":"delete""#), "\(changes.text)")

        for className in ["_Session", "_User"] {
            let eve = try await client.signUp("eve\(className)")
            #expect(try await client.isOpen(eve.token))
            #expect(try await client.send("DELETE", "/purge/\(className)", master: true).status == 200)
            expectError(try await client.send("GET", "/classes/Note", as: eve.token), 400, 209, "Invalid session token")
        }
    }
}
