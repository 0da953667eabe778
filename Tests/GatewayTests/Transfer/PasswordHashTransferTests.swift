import ParseModel
import Testing

/// Exports and imports of users with the hashes of their passwords.
@Suite struct PasswordHashTransferTests {
    private let source: AccountClient

    init() throws { source = try AccountClient() }

    private func signUp() async throws -> (userId: String, token: String) {
        let answer = try await source.send("POST", "/users", ["username": "ada", "password": "sesame"])
        return (try #require(answer.json["objectId"]?.string), try #require(answer.token))
    }

    @Test(arguments: ["/_User?passwordHashes=true", "/_User?passwordHashes=true&format=parse", "?passwordHashes=true"])
    func importedUsersLogInWithTheirOldPasswords(target: String) async throws {
        _ = try await signUp()
        let exported = try await source.export(target)
        #expect(exported.contains(#""_hashed_password":"$"#))
        let copy = try AccountClient()
        let path = target.hasPrefix("/") ? "/_User" + (target.contains("parse") ? "?format=parse" : "") : ""
        #expect(try await copy.importText(path, exported, .master).counts == [1, 0, 0, 0])
        #expect(try await copy.send("POST", "/login", ["username": "ada", "password": "sesame"]).status == 200)
        #expect(try await copy.send("POST", "/login", ["username": "ada", "password": "Sesame"]).status == 404)
        #expect(try await copy.export("/_User").contains("_hashed_password") == false)
    }

    @Test func anImportOfAnExportWithHashesIsTheSame() async throws {
        _ = try await signUp()
        let exported = try await source.export("?passwordHashes=true")
        let copy = try AccountClient()
        try await copy.importText("", exported)
        #expect(try await copy.export("?passwordHashes=true") == exported)
        #expect(try await copy.importText("", exported).counts == [0, 0, 1, 0])
    }

    @Test func anotherHashChangesTheUserAndEndsItsSessions() async throws {
        let (userId, token) = try await signUp()
        let old = try await source.export("/_User?passwordHashes=true")
        let me = try await source.send("PUT", "/users/\(userId)", ["password": "new"], master: true)
        #expect(me.status == 200)
        let session = try #require(
            try await source.send("POST", "/login", ["username": "ada", "password": "new"]).token)
        #expect(try await source.importText("/_User", old).counts == [0, 1, 0, 0])
        #expect(try await source.send("POST", "/login", ["username": "ada", "password": "sesame"]).status == 200)
        for ended in [token, session] {
            #expect(try await source.send("GET", "/users/me", as: ended).status == 400)
        }
    }

    @Test func onlyTheMasterKeyExportsHashes() async throws {
        let (_, token) = try await signUp()
        for key in [AccountClient.TransferKey.none, .session(token), .readOnlyMaster, .maintenance] {
            for target in ["/export/_User?passwordHashes=true", "/export?passwordHashes=true"] {
                let answer = try await source.transfer(.get, target, "", key)
                #expect(answer.status >= 400 && !answer.text.contains("$argon2"), "\(answer)")
            }
        }
        for target in ["/export/Note?passwordHashes=true", "/export/_User?passwordHashes=true&format=csv"] {
            #expect(try await source.transfer(.get, target, "", .master).status == 400)
        }
    }

    @Test func usersAndHashesAreNotImportedWithoutAKey() async throws {
        let (userId, token) = try await signUp()
        let exported = try await source.export("/_User?passwordHashes=true")
        _ = try await source.send("PUT", "/users/\(userId)", ["password": "new"], master: true)
        let session = try #require(
            try await source.send("POST", "/login", ["username": "ada", "password": "new"]).token)
        #expect(try await source.importText("/_User", exported, .session(session), status: 400)["refused"] == 1)
        #expect(try await source.send("POST", "/login", ["username": "ada", "password": "new"]).status == 200)
        withExtendedLifetime(token) {}
    }

    @Test func anUnknownHashIsRefusedAndNotRepeated() async throws {
        let line = #"{"username":"bob","_hashed_password":"5f4dcc3b5aa765d61d8327deb882cf99"}"#
        let result = try await source.importText("/_User", line, .master, status: 400)
        #expect(result["refused"] == 1 && !result.jsonText.contains("5f4dcc"))
    }
}
