import Foundation
import ParseModel
import Testing

/// Tests the files of the users of a site replica, with real processes, sockets and files.
@Suite("Files of the users of a site replica", .serialized)
struct SiteReplicaFileTests {
    private typealias World = PeopleWorld

    /// The URL of a note's file, as the gateway shows it to a session.
    private func address(_ world: World, _ text: String, _ token: String?) async throws -> String {
        let notes = try await world.replica.send(.get, "/classes/Note?order=text", token: token)
        let note = notes.json.object?["results"]?.array?.first { $0.object?["text"]?.string == text }
        return try World.path(note?.object?["file"]?.object?["url"]?.string)
    }

    @Test func onlyUploaderAndReadersOfItsObjectReadAFileUntilTheRemoteHasIt() async throws {
        let (world, ada, ben) = try await World.site()
        world.stopHub()
        func status(_ path: String, _ token: String? = nil) async throws -> Int {
            try await world.replica.status(path, token: token)
        }
        let upload = try await world.replica.send(
            .post, "/files/a.txt", "the content", contentType: "text/plain", token: ada.token)
        #expect(upload.status == 201, "\(upload)")
        let name = try #require(upload.json.object?["name"]?.string)
        let signed = try World.path(upload.json.object?["url"]?.string)
        let plain = String(try #require(signed.split(separator: "?").first))
        #expect(signed.contains("signature="))
        #expect(try await status(signed) == 200)
        #expect(try await status(plain, ada.token) == 200)
        for token in [ben.token, nil] { #expect(try await status(plain, token) == 404) }
        #expect(try await status(signed.replacing("expires=1", with: "expires=2")) == 403)
        #expect(try await world.asOwner(.get, plain).json == "the content")

        // Ben knows the name of the file. He must not get access to it by saving an object that refers to it.
        let file: JSONValue = ["__type": "File", "name": .string(name)]
        let note: JSONValue = ["text": "stolen", "file": file]
        let stolen = try await world.replica.send(.post, "/classes/Note", note, token: ben.token)
        #expect(stolen.json.object?["code"] == 119, "\(stolen)")

        // A private note of Ada gives only her access to the file. An open note gives it to everybody.
        let acl: JSONValue = [ada.id: ["read": true, "write": true]]
        let own: JSONValue = ["text": "own", "file": file, "ACL": acl]
        #expect(try await world.replica.send(.post, "/classes/Note", own, token: ada.token).status == 201)
        #expect(try await status(try await address(world, "own", ada.token)) == 200)
        let open: JSONValue = ["text": "open", "file": file]
        #expect(try await world.replica.send(.post, "/classes/Note", open, token: ada.token).status == 201)
        for token in [ben.token, nil] {
            let shown = try await address(world, "open", token)
            #expect(shown.contains("signature="))
            #expect(try await status(shown) == 200)
            #expect(try await status(plain, token) == 404)
        }
        // A restart invalidates the signed URLs. Ben's next answer has a new one.
        try await world.restartReplica()
        #expect(try await status(signed) == 403)
        #expect(try await status(try await address(world, "open", ben.token)) == 200)

        // At the remote, everybody who knows the name of the file may read it.
        try await world.startHub()
        try await world.syncSite()
        #expect(try await world.pendingUsers().isEmpty)
        let remote = try await address(world, "open", ben.token)
        #expect(!remote.contains("signature="))
        for token in [ada.token, ben.token, nil] { #expect(try await status(remote, token) == 200) }
    }

    /// An upload in JSON may have its session token in the body, as the JavaScript SDK sends it.
    @Test func uploadInJSONBelongsToItsUser() async throws {
        let (world, ada, ben) = try await World.site()
        world.stopHub()
        let upload = try await world.replica.send(
            .post, "/files/a.txt",
            ["base64": "YQ==", "_ApplicationId": "demo", "_SessionToken": .string(ada.token)])
        #expect(upload.status == 201, "\(upload)")
        let signed = try World.path(upload.json.object?["url"]?.string)
        let plain = String(try #require(signed.split(separator: "?").first))
        #expect(try await world.replica.status(plain, token: ada.token) == 200)
        #expect(try await world.replica.status(plain, token: ben.token) == 404)
        // A log-out ends the right to read the file at once.
        #expect(try await world.replica.send(.post, "/logout", [:], token: ada.token).json == [:])
        #expect(try await world.replica.status(plain, token: ada.token) == 404)
    }
}
