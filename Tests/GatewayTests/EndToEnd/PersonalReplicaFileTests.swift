import Foundation
import ParseModel
import Testing

/// Tests the files of the users of a personal replica, with real processes, sockets and files.
@Suite("Files of the users of a personal replica", .serialized)
struct PersonalReplicaFileTests {
    private typealias World = PeopleWorld

    private func contents(in directory: String) -> Int {
        let paths = FileManager.default.subpaths(atPath: directory + "/files") ?? []
        return paths.count { ($0 as NSString).lastPathComponent.count == 64 }
    }

    @Test func onlyTheUploaderReadsAFileUntilTheRemoteHasIt() async throws {
        let world = try await World()
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        world.stopHub()
        let upload = try await world.replica.send(
            .post, "/files/a.txt", "the content", contentType: "text/plain", token: ada.token)
        #expect(upload.status == 201)
        let name = try #require(upload.json.object?["name"]?.string)
        let signed = try World.path(upload.json.object?["url"]?.string)
        let plain = String(try #require(signed.split(separator: "?").first))
        func status(_ path: String, _ token: String? = nil) async throws -> Int {
            try await world.replica.status(path, token: token)
        }
        #expect(signed.contains("signature="))
        for token in [nil, ada.token, ben.token] { #expect(try await status(signed, token) == 200) }
        // A cache must not serve the file after its signed URL has expired.
        let secondsMax = try await world.replica.get(signed).headers[.cacheControl]?.split(separator: "=").last.flatMap
        { Int($0) }
        #expect((1...600).contains(secondsMax ?? 0))
        #expect(try await status(plain, ada.token) == 200)
        #expect(try await status(plain) == 404)
        #expect(try await status(plain, ben.token) == 404)
        #expect(try await status(signed.replacing(ada.id, with: ben.id)) == 403)
        let note: JSONValue = ["text": "a", "file": ["__type": "File", "name": .string(name)]]
        #expect(try await world.replica.send(.post, "/classes/Note", note, token: ada.token).status == 201)
        let notes = try await world.replica.send(.get, "/classes/Note", token: ada.token)
        let file = notes.json.object?["results"]?.array?.first?.object?["file"]?.object
        #expect(try await status(try World.path(file?["url"]?.string)) == 200)

        // At the remote, everybody who knows the name may read the file. The gateway downloads it once and keeps it
        // for all users.
        try await world.startHub()
        try await world.sync(ada.token)
        try await world.sync(ben.token)
        let shown = try await world.replica.send(.get, "/classes/Note", token: ben.token)
        let remote = shown.json.object?["results"]?.array?.first?.object?["file"]?.object
        let address = try World.path(remote?["url"]?.string)
        #expect(!address.contains("signature="))
        #expect(try await status(address) == 200)
        #expect(contents(in: world.replicaDirectory.path) == 1)
        #expect(try await status(address, ben.token) == 200)
        world.stopHub()
        #expect(try await status(address) == 200)
        #expect(try await status(address, ben.token) == 200)
        let users = world.replicaDirectory.path + "/users"
        let spaces = try FileManager.default.contentsOfDirectory(atPath: users)
        // Only Ada's own database directory has the content that she has uploaded.
        #expect(spaces.reduce(0) { $0 + contents(in: "\(users)/\($1)") } == 1)
        #expect(contents(in: world.replicaDirectory.path) == 1)
    }
}
