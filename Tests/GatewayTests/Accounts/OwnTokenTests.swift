import Foundation
import ParseModel
import Testing

/// Checks which answers contain the caller's session token. SDKs take the token of a user from the latest answer with
/// that user.
struct OwnTokenTests {
    private struct World {
        let client: AccountClient
        let ada: (id: String, token: String)
        let eve: (id: String, token: String)
        let session: String

        init() async throws {
            client = try AccountClient()
            ada = try await client.signUp("ada")
            eve = try await client.signUp("eve", "secret", ["ACL": ["*": ["read": true]]])
            session = try #require(
                try await client.send("GET", "/sessions/me", as: ada.token).json["objectId"]?.string)
            let owner = Pointer(className: "_User", objectId: ada.id).json
            _ = try await client.send("POST", "/classes/Note", ["owner": owner], as: ada.token)
        }

        func path(_ pattern: String) -> String {
            [("ADA", ada.id), ("EVE", eve.id), ("SESSION", session)].reduce(pattern) { path, name in
                path.replacingOccurrences(of: name.0, with: name.1)
            }
        }
    }

    private static let shown = [
        "/users/me", "/users/ADA", "/classes/_User/ADA", "/users/ADA?keys=username", "/users/ADA?keys=objectId",
        "/classes/_User/ADA?excludeKeys=sessionToken", "/users/ADA?include=friend", "/sessions/me",
        "/sessions/SESSION", "/classes/_Session/SESSION", "/sessions", "/classes/_Session?keys=sessionToken",
    ]

    private static let hidden = [
        "/users", "/classes/_User", "/users/EVE", "/classes/Note?include=owner",
        "/classes/_Session?keys=user", "/sessions/SESSION?excludeKeys=sessionToken",
    ]

    @Test(arguments: shown) func anAnswerAboutTheCallerContainsTheSessionToken(_ pattern: String) async throws {
        let world = try await World()
        let token = JSONValue.string(world.ada.token)
        let alone = try await world.client.send("GET", world.path(pattern), as: world.ada.token)
        #expect((alone.results.first ?? alone.json)["sessionToken"] == token, "\(alone.text)")
        let inBody = try await world.client.send(
            "POST", world.path(pattern), ["_method": "GET", "_SessionToken": token])
        #expect((inBody.results.first ?? inBody.json)["sessionToken"] == token, "\(inBody.text)")
        let item: JSONValue = ["method": "GET", "path": .string("/parse" + world.path(pattern))]
        let batch = try await world.client.send("POST", "/batch", ["requests": [item]], as: world.ada.token)
        #expect(batch.text.contains(#""sessionToken":"\#(world.ada.token)""#), "\(batch.text)")
        // A request with the master key has no user, so `/me` cannot be asked.
        guard !pattern.hasSuffix("/me") else { return }
        let master = try await world.client.send("GET", world.path(pattern), as: world.ada.token, master: true)
        #expect(master.status == 200 && !master.text.contains("sessionToken"), "\(master.text)")
    }

    @Test(arguments: hidden) func answersAboutOtherUsersContainNoSessionToken(_ pattern: String) async throws {
        let world = try await World()
        let answer = try await world.client.send("GET", world.path(pattern), as: world.ada.token)
        #expect(answer.status == 200 && !answer.text.contains("sessionToken"), "\(answer.text)")
    }

    @Test func aListOfSessionsShowsTheTokenOfTheCallersSessionAlone() async throws {
        let world = try await World()
        _ = try await world.client.logIn("ada")
        let sessions = try await world.client.send("GET", "/sessions", as: world.ada.token).results
        #expect(sessions.count == 2)
        for session in sessions {
            let isOwn = session["objectId"] == .string(world.session)
            #expect(session["sessionToken"] == (isOwn ? .string(world.ada.token) : nil))
        }
    }

    @Test func theSessionTokenIsShownBesideTheSyncState() async throws {
        let world = try await World()
        let user = try await world.client.send("GET", "/users/\(world.ada.id)?_sync=true", as: world.ada.token)
        #expect(user.json["sessionToken"] == .string(world.ada.token) && user.json["_sync"] != nil, "\(user.text)")
    }
}
