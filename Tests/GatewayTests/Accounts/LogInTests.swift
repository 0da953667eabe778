import ParseModel
import Passwords
import StoreService
import Testing

@testable import LocalStore

struct LogInTests {
    @Test(arguments: ["GET", "POST"]) func userLogsInByUserNameOrEmailAddress(method: String) async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada", "p w", ["email": "ada@example.org", "city": "London"])
        for name in [
            "username=ada", "email=ada@example.org", "username=ada@example.org", "username=ada&email=ada@example.org",
        ] {
            let answer = try await client.send(method, "/login?\(name)&password=p%20w")
            #expect(answer.status == 200, "\(name): \(answer.json)")
            #expect(answer.json["objectId"] == .string(ada.id) && answer.json["city"] == "London")
            let token = try #require(answer.token)
            let session = try await client.send("GET", "/sessions/me", as: token)
            #expect(session.json["createdWith"] == ["action": "login", "authProvider": "password"])
        }
    }

    @Test(
        arguments: [
            ([:], 400, 200, "username/email is required."),
            (["password": "secret"], 400, 200, "username/email is required."),
            (["username": "ada"], 400, 201, "password is required."),
            (["username": "ada", "password": ""], 400, 201, "password is required."),
            (["username": "ada", "password": "wrong"], 404, 101, "Invalid username/password."),
            (["username": "ADA", "password": "secret"], 404, 101, "Invalid username/password."),
            (["username": "nobody", "password": "secret"], 404, 101, "Invalid username/password."),
            (["username": ["$ne": ""], "password": "secret"], 404, 101, "Invalid username/password."),
            (["username": "ada", "password": ["$ne": ""]], 404, 101, "Invalid username/password."),
            (
                ["username": "ada", "email": "b@example.org", "password": "secret"], 404, 101,
                "Invalid username/password."
            ),
            (["username": "imported", "password": "secret"], 404, 101, "Invalid username/password."),
        ] as [(JSONObject, Int, Int, String)])
    func everyFailedLogInHasTheSameAnswer(body: JSONObject, status: Int, code: Int, message: String) async throws {
        let client = try AccountClient()
        _ = try await client.signUp("ada")
        // A user without a password, as an earlier version or an import leaves it.
        try await client.store.create("_User", ["username": "imported"])
        for path in ["/login", "/verifyPassword"] {
            expectError(try await client.send("POST", path, body), status, code, message)
        }
    }

    @Test func aUserWithAnEmptyACLIsLockedOut() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("ada")
        #expect(try await client.send("PUT", "/users/\(ada.id)", ["ACL": [:]], master: true).status == 200)
        expectError(try await client.logIn("ada"), 404, 101, "Invalid username/password.")
        #expect(
            try await client.send("POST", "/login", ["username": "ada", "password": "secret"], master: true).status
                == 200)
    }

    @Test func aLogInByAUserNameThatIsAnothersEmailAddressOpensTheNamedUser() async throws {
        let client = try AccountClient()
        let ada = try await client.signUp("x@example.org", "one")
        let eve = try await client.signUp("eve", "two", ["email": "x@example.org"])
        #expect(try await client.logIn("x@example.org", "one").json["objectId"] == .string(ada.id))
        #expect(try await client.logIn("x@example.org", "two").status == 404)
        #expect(try await client.logIn("eve", "two").json["objectId"] == .string(eve.id))
    }

    @Test func aLogInIgnoresAnInvalidSession() async throws {
        let client = try AccountClient()
        _ = try await client.signUp("ada")
        let body: JSONObject = ["username": "ada", "password": "secret"]
        #expect(try await client.send("POST", "/login", body, as: "r:gone").status == 200)
    }

    @Test func secondLogInOfAnInstallationEndsItsFirstSession() async throws {
        let client = try AccountClient()
        let first = try await client.signUp("ada", installation: "phone").token
        let other = try #require(try await client.logIn("ada", installation: "tablet").token)
        let second = try #require(try await client.logIn("ada", installation: "phone").token)
        #expect(try await !client.isOpen(first))
        #expect(try await client.isOpen(other))
        #expect(try await client.isOpen(second))
    }

    @Test func verifyPasswordOpensNoSession() async throws {
        let client = try AccountClient()
        _ = try await client.signUp("ada")
        let answer = try await client.send("GET", "/verifyPassword?username=ada&password=secret")
        #expect(answer.status == 200 && answer.json["username"] == "ada" && answer.token == nil)
        #expect(try client.store.find("_Session", ParseQuery(), as: .master).objects.count == 1)
    }

    @Test func userWithoutReadAccessToTheOwnRowGetsOnlyIdAndDates() async throws {
        let client = try AccountClient()
        let user = try await client.signUp("ada", "secret", ["note": "hidden"])
        let whole = try await client.logIn("ada").json
        #expect(whole["note"] == "hidden" && whole["username"] == "ada")
        let permissions: JSONObject = ["classLevelPermissions": ["get": [:], "find": [:]]]
        #expect(try await client.send("PUT", "/schemas/_User", permissions, master: true).status == 200)
        let names: Set<String> = ["objectId", "createdAt", "updatedAt"]
        let logIn = try await client.logIn("ada")
        #expect(Set(logIn.json.keys) == names.union(["sessionToken"]) && logIn.json["objectId"] == .string(user.id))
        let me = try await client.send("GET", "/users/me", as: user.token)
        #expect(Set(me.json.keys) == names.union(["sessionToken", "__type", "className"]))
        let verified = try await client.send("GET", "/verifyPassword?username=ada&password=secret")
        #expect(Set(verified.json.keys) == names)
        let byMaster = try await client.send("GET", "/verifyPassword?username=ada&password=secret", master: true)
        #expect(byMaster.json["note"] == "hidden")
    }

    @Test func tooManyFailedLogInsLockAUserOut() async throws {
        let client = try AccountClient { $0.lockout = Lockout(threshold: 3, duration: .seconds(120)) }
        _ = try await client.signUp("ada")
        for _ in 0..<3 { expectError(try await client.logIn("ada", "no"), 404, 101, "Invalid username/password.") }
        let locked = "Your account is locked due to multiple failed login attempts. Please try again after 2 minute(s)"
        expectError(try await client.logIn("ada"), 404, 101, locked)
        expectError(try await client.logIn("ada", "no"), 404, 101, locked)
        client.clock.advance(.seconds(121))
        // After a successful log-in, the count of failures starts again at zero.
        for _ in 0..<2 { expectError(try await client.logIn("ada", "no"), 404, 101, "Invalid username/password.") }
        #expect(try await client.logIn("ada").status == 200)
        for _ in 0..<2 { expectError(try await client.logIn("ada", "no"), 404, 101, "Invalid username/password.") }
        #expect(try await client.logIn("ada").status == 200)
    }

    @Test func concurrentPasswordGuessesCannotExceedTheLockoutLimit() async throws {
        let client = try AccountClient { $0.lockout = Lockout(threshold: 3, duration: .seconds(120)) }
        _ = try await client.signUp("ada")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await client.logIn("ada", "no").status } }
            for try await status in group { #expect(status == 404) }
        }
        #expect(try await client.logIn("ada").status == 404)
    }

    @Test func passwordHashOfAnotherStrengthIsReplacedAtTheLogIn() async throws {
        let first = try AccountClient()
        let id = try await first.signUp("ada").id
        let weak = try #require(try first.store.accounts.account(id)?.hash)
        // The second gateway hashes passwords with another strength than the stored hash has.
        let second = AccountClient(sharing: first) { $0.passwordStrength.passes = 2 }
        #expect(try await second.send("GET", "/verifyPassword?username=ada&password=no").status == 404)
        #expect(try second.store.accounts.account(id)?.hash == weak)
        #expect(try await second.logIn("ada").status == 200)
        let strong = try #require(try second.store.accounts.account(id)?.hash)
        #expect(strong != weak && strong.contains("t=2"))
        #expect(try await second.logIn("ada").status == 200)
    }

    @Test func tenThousandFailedLogInsOpenNoSessionAndStoreNoRows() async throws {
        let client = try AccountClient()
        _ = try await client.signUp("ada")
        let before = try client.store.find("_Session", ParseQuery(), as: .master).objects.count
        for round in 0..<100 {
            try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                for guess in 0..<100 {
                    group.addTask {
                        let name = guess % 2 == 0 ? "ada" : "user\(guess)"
                        let answer = try await client.logIn(name, "guess\(round).\(guess)")
                        return (answer.status, answer.token)
                    }
                }
                for try await (status, token) in group {
                    #expect(status == 404 || status == 429)
                    #expect(token == nil)
                }
            }
        }
        #expect(try client.store.find("_Session", ParseQuery(), as: .master).objects.count == before)
        #expect(client.store.transactions.sessions.count <= 1)
        #expect(try await client.logIn("ada").status == 200)
    }
}
