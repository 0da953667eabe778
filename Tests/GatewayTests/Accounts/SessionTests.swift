import ParseModel
import StoreService
import Testing

@testable import LocalStore

struct SessionTests {
    @Test func anUnknownSessionTokenIsRefusedOnEveryRoute() async throws {
        let client = try AccountClient()
        for (method, path) in [
            ("GET", "/classes/Post"), ("POST", "/classes/Post"), ("GET", "/users/me"), ("POST", "/logout"),
            ("GET", "/config"), ("GET", "/changes?since=0"),
            ("POST", "/upgradeToRevocableSession"),
        ] {
            expectError(
                try await client.send(method, path, method == "POST" ? [:] : nil, as: "r:unknown"), 400, 209,
                "Invalid session token")
        }
        expectError(
            try await client.send("POST", "/batch", ["requests": []], as: "r:unknown"), 400, 209,
            "Invalid session token")
        // An unknown path is reported before an invalid session.
        #expect(try await client.send("GET", "/nowhere", as: "r:unknown").status == 404)
    }

    @Test func requestsThatNeedASessionAreRefusedIfNoneIsGiven() async throws {
        let client = try AccountClient()
        expectError(try await client.send("GET", "/users/me"), 400, 209, "Invalid session token")
        expectError(try await client.send("GET", "/sessions"), 400, 209, "Invalid session token")
        expectError(try await client.send("GET", "/sessions/me"), 400, 209, "Session token required.")
        expectError(try await client.send("PUT", "/sessions/me", [:]), 400, 209, "Session token required.")
        expectError(try await client.send("POST", "/sessions", [:]), 400, 209, "Invalid session token")
        expectError(try await client.send("POST", "/upgradeToRevocableSession", [:]), 404, 101, "invalid session")
        #expect(try await client.send("POST", "/logout", [:]).json == [:])
    }

    @Test func sessionIsRefusedAfterItsExpiry() async throws {
        let client = try AccountClient { $0.sessionLength = .seconds(60) }
        let token = try await client.signUp("ada").token
        client.clock.advance(.seconds(60))
        #expect(try await client.isOpen(token))
        client.clock.advance(.seconds(1))
        expectError(try await client.send("GET", "/classes/Post", as: token), 400, 209, "Session token is expired.")
        // A log-in deletes sessions that expired long ago.
        client.clock.advance(.seconds(31 * 86_400))
        _ = try await client.logIn("ada")
        #expect(try client.store.find("_Session", ParseQuery(), as: .master).objects.count == 1)
    }

    @Test func sessionExpiryIsExtendedByUse() async throws {
        let client = try AccountClient {
            $0.sessionLength = .seconds(100)
            $0.extendsSessionsOnUse = true
        }
        let token = try await client.signUp("ada").token
        let committed = AsyncStream<Void>.makeStream()
        client.store.objects.onCommit { committed.continuation.yield() }
        var commits = committed.stream.makeAsyncIterator()
        client.clock.advance(.seconds(49))
        #expect(try await client.isOpen(token))
        client.clock.advance(.seconds(2))
        #expect(try await client.isOpen(token))
        await commits.next()
        let end = try await client.send("GET", "/sessions/me", as: token).json["expiresAt"].flatMap { ParseDate($0) }
        #expect(end == client.clock.environment.now() + .seconds(100))
    }

    @Test func aUserSeesAndEndsOnlyTheOwnSessions() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let eve = try await client.signUp("eve")
        let tablet = try #require(try await client.logIn("ada").token)
        let own = try await client.send("GET", "/sessions", as: ada.token)
        #expect(own.results.count == 2)
        #expect(own.results.compactMap { $0["sessionToken"]?.string } == [ada.token])
        let counted = try await client.send("GET", "/classes/_Session?count=1&limit=0", as: eve.token)
        #expect(counted.json["count"] == 1)
        let others = try await client.find(
            "/sessions", where: ["user": Pointer(className: "_User", objectId: ada.id).json], as: eve.token)
        #expect(others.results.isEmpty)

        let id = try #require(
            try await client.send("GET", "/sessions/me", as: tablet).json["objectId"]?.string)
        for method in ["GET", "PUT", "DELETE"] {
            let body: JSONObject? = method == "PUT" ? ["a": 1] : nil
            expectError(
                try await client.send(method, "/sessions/\(id)", body, as: eve.token), 404, 101,
                method == "DELETE" ? "Object not found for delete." : "Object not found.")
            guard method != "GET" else { continue }
            // The answer is the same as for a missing object.
            let headers = ["If-Match": "\"x\""]
            let present = try await client.send(method, "/sessions/\(id)", body, as: eve.token, headers: headers)
            let missing = try await client.send(method, "/sessions/none", body, as: eve.token, headers: headers)
            #expect(present.status == 412 && present.text == missing.text)
        }
        let inner: JSONObject = [
            "user": ["$inQuery": ["className": "_User", "where": [:]]],
            "x": ["$inQuery": ["className": "_Session", "where": [:]]],
        ]
        #expect(try await client.find("/classes/Post", where: inner, as: eve.token).status == 200)
        #expect(try await client.find("/classes/Post", where: inner).code == 209)
        #expect(try await client.send("DELETE", "/sessions/\(id)", as: ada.token).status == 200)
        #expect(try await !client.isOpen(tablet))
        #expect(try await client.isOpen(ada.token))
    }

    @Test func theMasterKeyFindsASessionByItsToken() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let eve = try await client.signUp("eve")
        let found = try await client.find("/sessions", where: ["sessionToken": .string(ada.token)], master: true)
        #expect(found.results.count == 1 && found.results[0]["user"]?.object?["objectId"] == .string(ada.id))
        #expect(!found.text.contains(ada.token))
        #expect(
            try await client.find("/sessions", where: ["sessionToken": .string(ada.token)], as: eve.token).results
                .isEmpty)
        #expect(try await client.find("/sessions", where: ["sessionToken": "r:none"], master: true).results.isEmpty)
        for condition in [["$exists": true], ["$regex": "^r"], ["$ne": "x"], ["$gt": "r"], ["$in": ["r:1"]]]
            as [JSONValue]
        {
            for master in [true, false] {
                let answer = try await client.find(
                    "/sessions", where: ["$or": [["sessionToken": condition]]], as: master ? nil : ada.token,
                    master: master)
                expectError(answer, 400, 102, "sessionToken can only be compared for equality.")
            }
        }
    }

    @Test(arguments: [
        "user", "sessionToken", "expiresAt", "createdWith", "installationId", "createdWith.action", "expiresAt.iso",
    ])
    func userCannotChangeTheManagedFieldsOfASession(name: String) async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let id = try #require(try await client.send("GET", "/sessions/me", as: ada.token).json["objectId"]?.string)
        let field = String(name.prefix { $0 != "." })
        for path in ["/sessions/me", "/sessions/\(id)", "/classes/_Session/\(id)"] {
            for value in ["x", nil, ["__op": "Delete"]] as [JSONValue] {
                expectError(
                    try await client.send("PUT", path, [name: value], as: ada.token), 400, 105,
                    "Invalid key name: \(field)")
            }
        }
        #expect(try await client.send("PUT", "/sessions/me", ["theme": "dark"], as: ada.token).status == 200)
        #expect(try await client.send("GET", "/sessions/me", as: ada.token).json["theme"] == "dark")
        expectError(
            try await client.send("PUT", "/sessions/me", ["ACL": ["*": ["read": true]]], as: ada.token), 400, 105,
            "Cannot set ACL on a Session.")
    }

    @Test func userMayCreateAnotherOwnSession() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let answer = try await client.send(
            "POST", "/sessions",
            [
                "user": Pointer(className: "_User", objectId: "other").json, "sessionToken": "r:chosen",
                "device": "sensor",
                "expiresAt": ParseDate(milliseconds: 9_000_000_000_000).json, "createdWith": ["action": "login"],
            ], as: ada.token)
        #expect(answer.status == 201)
        #expect(answer.json["user"] == Pointer(className: "_User", objectId: ada.id).json)
        #expect(answer.json["createdWith"] == ["action": "create"] && answer.json["device"] == "sensor")
        let token = try #require(answer.token)
        #expect(token != "r:chosen")
        #expect(try await client.isOpen(token))
        #expect(try await !client.isOpen("r:chosen"))
    }

    @Test func masterKeyTakesPrecedenceOverASessionToken() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        #expect(try await client.send("GET", "/sessions", as: "r:unknown", master: true).status == 200)
        #expect(
            try await client.send("GET", "/users/me", as: ada.token, master: true).json["objectId"] == .string(ada.id))
        #expect(try await client.send("GET", "/users/me", as: "r:unknown", master: true).code == 209)
        #expect(
            try await client.send("PUT", "/users/\(ada.id)", ["emailVerified": true], as: "r:unknown", master: true)
                .status == 200)
    }

    @Test func logOutEndsTheSession() async throws {
        let client = try AccountClient()
        let token = try await client.signUp("ada").token
        #expect(try await client.send("POST", "/logout", [:], as: token).json == [:])
        #expect(try await !client.isOpen(token))
        #expect(try client.store.find("_Session", ParseQuery(), as: .master).objects.isEmpty)
    }

    private func item(_ method: String, _ path: String, _ body: JSONValue = [:]) -> JSONValue {
        ["method": .string(method), "path": .string("/parse" + path), "body": body]
    }

    /// Sends a batch. Returns the error code of each item; nil for a success.
    private func codes(_ client: AccountClient, _ items: [JSONValue], as token: String) async throws -> [Int?] {
        let answer = try await client.send("POST", "/batch", ["requests": .array(items)], as: token)
        let results = try #require(try JSONReader.read(answer.text).array, "\(answer)")
        return results.map { $0.object?["error"]?.object?["code"]?.int }
    }

    /// After a log-out in the same batch, the session must not open another session or change the user's password.
    @Test func batchItemsAfterALogOutAreRefused() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let items = [
            item("POST", "/classes/Post"), item("POST", "/logout"), item("GET", "/classes/Post"),
            item("POST", "/classes/Post"), item("POST", "/sessions"),
            item("PUT", "/users/\(ada.id)", ["password": "new"]), item("DELETE", "/users/\(ada.id)"),
            item("POST", "/login", ["username": "ada", "password": "wrong"]),
        ]
        #expect(try await codes(client, items, as: ada.token) == [nil, nil, 209, 209, 209, 209, 209, 101])
        #expect(try await client.send("GET", "/classes/Post").results.count == 1)
        _ = try await client.logIn("ada")
    }

    @Test func batchItemsAfterTheDeletionOfTheirUserAreRefused() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let items = [
            item("DELETE", "/users/\(ada.id)"), item("GET", "/classes/Post"), item("POST", "/classes/Post"),
            item("POST", "/sessions"),
        ]
        #expect(try await codes(client, items, as: ada.token) == [nil, 209, 209, 209])
    }

    @Test func theSessionsOfALockedUserAreRefused() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        #expect(try await client.isOpen(ada.token))
        let acl: JSONValue = [ada.id: ["read": true, "write": true]]
        for (value, isOpen) in [([:], false), (acl, true)] as [(JSONValue, Bool)] {
            _ = try await client.send("PUT", "/users/\(ada.id)", ["ACL": value], master: true)
            #expect(try await client.isOpen(ada.token) == isOpen)
        }
    }

    @Test func userMayDeleteTheOwnSession() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        let other = try #require(try await client.logIn("ada").token)
        expectError(try await client.send("DELETE", "/sessions/me"), 400, 209, "Session token required.")
        #expect(try await client.send("DELETE", "/sessions/me", as: ada.token).json == [:])
        #expect(try await !client.isOpen(ada.token))
        #expect(try await client.isOpen(other))
    }

    @Test func upgradeToRevocableSessionReplacesTheSession() async throws {
        let client = try AccountClient()
        let token = try await client.signUp("ada", installation: "phone").token
        let answer = try await client.send("POST", "/upgradeToRevocableSession", [:], as: token, installation: "phone")
        #expect(answer.json["createdWith"] == ["action": "upgrade"])
        #expect(try await client.isOpen(try #require(answer.token)))
        #expect(try await !client.isOpen(token))
    }

    @Test func theMasterKeyOpensASessionForAnyUser() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        expectError(
            try await client.send("POST", "/loginAs", ["userId": .string(ada.id)], as: ada.token), 400, 119,
            "master key is required")
        expectError(
            try await client.send("POST", "/loginAs", ["userId": "none"], master: true), 404, 101, "user not found")
        #expect(
            try await client.send("POST", "/loginAs", [:], master: true).error
                == "userId must not be empty, null, or undefined")
        let answer = try await client.send("POST", "/loginAs", ["userId": .string(ada.id)], master: true)
        #expect(answer.json["username"] == "ada")
        #expect(try await client.isOpen(try #require(answer.token)))
    }

    @Test func theSessionsOfADeletedUserEnd() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        #expect(try await client.isOpen(ada.token))
        #expect(try await client.send("DELETE", "/users/\(ada.id)", master: true).status == 200)
        expectError(try await client.send("GET", "/classes/Post", as: ada.token), 400, 209, "Invalid session token")
        #expect(try client.store.find("_Session", ParseQuery(), as: .master).objects.isEmpty)
    }

    @Test func requestThatNeedsEmailIsRefusedWithoutAMailAdapter() async throws {
        let client = try AccountClient()
        for path in ["/requestPasswordReset", "/verificationEmailRequest"] {
            expectError(
                try await client.send("POST", path, ["email": "a@example.org"]), 500, 1,
                "An appName, publicServerURL, and emailAdapter are required for password reset and email verification functionality."
            )
        }
    }
}
