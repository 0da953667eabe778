import ParseModel
import StoreService
import Testing

struct SignUpTests {
    @Test func signUpOpensASession() async throws {
        let client = try AccountClient()
        let answer = try await client.send(
            "POST", "/users", ["username": "ada", "password": "secret", "email": "ada@example.org"],
            installation: "phone")
        #expect(answer.status == 201)
        #expect(Array(answer.json.keys) == ["objectId", "createdAt", "sessionToken"])
        let id = try #require(answer.json["objectId"]?.string)
        #expect(answer.location == "http://127.0.0.1:1338/users/\(id)")
        let token = try #require(answer.token)
        #expect(token.wholeMatch(of: /r:[0-9a-f]{32}/) != nil)

        let me = try await client.send("GET", "/users/me", as: token)
        #expect(me.json["username"] == "ada" && me.json["email"] == "ada@example.org")
        #expect(me.json["ACL"] == [id: ["read": true, "write": true]].asJSON)
        #expect(me.token == token)
        #expect(me.json["password"] == nil && !me.text.contains("argon2"))

        let session = try await client.send("GET", "/sessions/me", as: token)
        #expect(session.json["user"] == Pointer(className: "_User", objectId: id).json)
        #expect(session.json["createdWith"] == ["action": "signup", "authProvider": "password"])
        #expect(session.json["installationId"] == "phone")
        #expect(
            session.json["expiresAt"].flatMap { ParseDate($0) } == client.clock.environment.now() + .seconds(31_536_000)
        )
        #expect(session.token == token)
    }

    @Test(
        arguments: [
            ([:], 200, "bad or missing username"),
            (["username": ""], 200, "bad or missing username"),
            (["username": 1, "password": "a"], 200, "bad or missing username"),
            (["username": "a"], 201, "password is required"),
            (["username": "a", "password": ""], 201, "password is required"),
            (["username": "a", "password": nil], 201, "password is required"),
            (
                ["username": "a", "password": 1], 111,
                "schema mismatch for _User.password; expected String but got Number"
            ),
            (["username": "a", "password": "p", "email": "x"], 125, "Email address format is invalid."),
            (
                ["username": "a", "password": "p", "emailVerified": true], 119,
                "Clients aren't allowed to manually update email verification."
            ),
            (
                ["username": "a", "password": "p", "authData": ["facebook": ["id": "1"]]], 252,
                "This authentication method is unsupported."
            ),
            (["username": "a", "password": "p", "authData": nil], 252, "This authentication method is unsupported."),
            (["authData": ["anonymous": ["id": 1]]], 252, "This authentication method is unsupported."),
            (
                ["username": "a", "password": "p", "authData.anonymous": ["id": "1"]], 105,
                "Invalid key name: authData.anonymous"
            ),
            (["username": "a", "password": "p", "_auth_data_x": 1], 105, "Invalid field name: _auth_data_x."),
            (
                ["username": "a", "password": "p", "_hashed_password": "x"], 105,
                "Invalid field name: _hashed_password."
            ),
        ] as [(JSONObject, Int, String)])
    func signUpWithInvalidFieldsIsRefused(body: JSONObject, code: Int, message: String) async throws {
        let client = try AccountClient()
        expectError(try await client.send("POST", "/users", body), 400, code, message)
        #expect(try client.store.find("_User", ParseQuery(), as: .master).objects.isEmpty)
        #expect(try client.store.find("_Session", ParseQuery(), as: .master).objects.isEmpty)
    }

    @Test func userNamesAndEmailAddressesAreUniqueRegardlessOfCase() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("Ådå", "secret", ["email": "Ada@Example.org"])
        for name in ["Ådå", "åDÅ"] {
            expectError(
                try await client.send("POST", "/users", ["username": .string(name), "password": "x"]), 400, 202,
                "Account already exists for this username.")
        }
        expectError(
            try await client.send(
                "POST", "/users", ["username": "eve", "password": "x", "email": "ada@example.ORG"]), 400, 203,
            "Account already exists for this email address.")
        let eve = try await client.signUp("eve")
        expectError(
            try await client.send("PUT", "/users/\(eve.id)", ["username": "ådå"], as: eve.token), 400, 202,
            "Account already exists for this username.")
        expectError(
            try await client.send("PUT", "/users/\(eve.id)", ["email": "ada@example.org"], as: eve.token), 400, 203,
            "Account already exists for this email address.")
        // A user may change the case of their own name.
        #expect(try await client.send("PUT", "/users/\(ada.id)", ["username": "ÅDÅ"], as: ada.token).status == 200)
        #expect(try await client.logIn("ÅDÅ").status == 200)
        #expect(try await client.logIn("Ådå").status == 404)
        // The name of a deleted user can be used again.
        #expect(try await client.send("DELETE", "/users/\(ada.id)", as: ada.token).status == 200)
        #expect(try await client.send("PUT", "/users/\(eve.id)", ["username": "ådå"], as: eve.token).status == 200)
    }

    @Test func batchMaySignUpSeveralUsers() async throws {
        let client = try AccountClient()
        let item = { (name: String) -> JSONValue in
            ["method": "POST", "path": "/users", "body": ["username": .string(name), "password": "p"]]
        }
        let answer = try await client.send("POST", "/batch", ["requests": [item("a"), item("b"), item("A")]])
        let items = try #require(try JSONReader.read(answer.text).array)
        let tokens = items.compactMap { $0.object?["success"]?.object?["sessionToken"]?.string }
        #expect(tokens.count == 2)
        for token in tokens { #expect(try await client.isOpen(token)) }
        #expect(items[2].object?["error"]?.object?["code"] == 202)

        let failed = try await client.send(
            "POST", "/batch", ["requests": [item("c"), item("b")], "transaction": true])
        expectError(failed, 400, 202, "Account already exists for this username.")
        #expect(try await client.logIn("c", "p").status == 404)
    }

    @Test func defaultACLOfUsersCanAllowEverybodyToRead() async throws {
        let client = try AccountClient { $0.keepsUsersPrivate = false }
        let ada = try await client.signUp("ada")
        let me = try await client.send("GET", "/users/me", as: ada.token)
        #expect(me.json["ACL"] == ["*": ["read": true], ada.id: ["read": true, "write": true]].asJSON)
        let eve = try await client.signUp("eve", "secret", ["ACL": ["*": ["read": true, "write": true]]])
        let acl = try await client.send("GET", "/users/me", as: eve.token).json["ACL"]
        #expect(acl == ["*": ["read": true, "write": true], eve.id: ["read": true, "write": true]].asJSON)
    }

    #if os(Linux)
        @Test(arguments: ["POST", "PUT"]) func theMaintenanceKeyMayImportAPasswordHash(method: String) async throws {
            let client = try AccountClient()
            let key = ["X-Parse-Maintenance-Key": AccountClient.maintenanceKey]
            // The bcrypt hash of the password `U*U`.
            let hash: JSONValue = "$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
            var path = "/users"
            var token: String?
            if method == "PUT" {
                let ada = try await client.signUp("ada")
                (path, token) = ("/users/\(ada.id)", ada.token)
            }
            let body: JSONObject = ["username": "ada", "_hashed_password": hash]
            for headers in [["X-Parse-Master-Key": AccountClient.masterKey], [:]] {
                let refused = try await client.send(method, path, body, as: token, headers: headers)
                #expect(refused.status == 400)
            }
            var unknown = body
            unknown["_hashed_password"] = "secret"
            expectError(
                try await client.send(method, path, unknown, headers: key), 400, 111,
                "_hashed_password must be a hash by Argon2id or, if the gateway runs on Linux, by bcrypt.")
            let imported = try await client.send(method, path, body, headers: key)
            #expect(imported.status == (method == "POST" ? 201 : 200), "\(imported.text)")
            if let token { #expect(try await !client.isOpen(token)) }
            #expect(try await client.logIn("ada").status == 404)
            #expect(try await client.logIn("ada", "U*U").status == 200)
            let account = try #require(try client.store.accounts.accounts(named: .either("ada")).first)
            #expect(account.hash?.hasPrefix("$argon2id$") == true)
            #expect(account.user["_hashed_password"] == nil)
            #expect(try await client.logIn("ada", "U*U").status == 200)
        }
    #endif

    @Test func aUserIdThatBeginsLikeARoleIsRefused() async throws {
        let client = try AccountClient(allowsChosenIds: true)
        for id in ["role:admin", "*", "me"] {
            let body: JSONObject = ["objectId": .string(id), "username": "a", "password": "p"]
            expectError(try await client.send("POST", "/users", body), 400, 119, "Invalid object ID.")
        }
    }

    @Test func databaseContainsNeitherPasswordsNorSessionTokens() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada", "a very secret password")
        let again = try await client.logIn("ada", "a very secret password")
        let file = try client.fileText()
        #expect(file.contains("argon2id"))
        for secret in ["a very secret password", ada.token, try #require(again.token)] {
            #expect(!file.contains(secret))
        }
        // No list, change feed or metric shows a secret either, not even with the master key.
        for path in ["/users", "/classes/_User", "/sessions", "/changes?since=0", "/metrics"] {
            let text = try await client.send("GET", path, master: true).text
            for secret in ["argon2id", ada.token, "a very secret"] { #expect(!text.contains(secret), "\(path)") }
        }
    }
}

extension [String: JSONObject] {
    /// The permissions as JSON. JSON objects are equal regardless of the order of their members.
    var asJSON: JSONValue { .object(JSONObject(map { ($0.key, .object($0.value)) })) }
}
