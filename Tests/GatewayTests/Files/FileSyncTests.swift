import Foundation
import GatewayAPI
import HTTPTypes
import LocalStore
import ParseModel
import ParseRemote
import RemoteService
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// Tests the upload and download of files between a replica and its remote.
@Suite("Files that are synced with the remote")
struct FileSyncTests {
    private let world: World
    private let client: FileClient
    private let hub: FileClient

    init() async throws {
        world = try await World.make()
        client = FileClient(api: world.replica.api(world.clock))
        hub = FileClient(api: world.hub.api)
        try await world.replica.sync()
        _ = world.transport.takeSent()
    }

    private func isUpload(_ method: String, _ path: String, _: String) -> Bool {
        method == "POST" && path.contains("/files/")
    }

    private func isDownload(_ method: String, _ path: String, _: String) -> Bool {
        method == "GET" && path.contains("/files/")
    }

    /// Creates an object with a file at the remote, and lets the replica pull the object.
    private func pulled(_ text: String = "meow", files: JSONValue? = nil) async throws -> String {
        if let files { try await world.replica.set(["files": files]) }
        let file = try await hub.upload("cat.png", text)
        let id = try await world.hub.store.create("Holiday", ["image": file])
        try await world.replica.sync()
        return id
    }

    private func image(_ id: String) async throws -> JSONValue? {
        try await client.json(.get, "/classes/Holiday/\(id)")["image"]
    }

    // MARK: Uploads

    /// The kinds of the sent writes: "file" for an upload, "one" for a single object, "some" for a batch.
    private func writes() -> [String] {
        world.transport.takeSent().compactMap { sent in
            if sent.line.contains("/files/") { return "file" }
            if sent.body.contains(#""method":"POST""#) { return "some" }
            // The engine probes whether the remote accepts chosen ids, by a create that the remote never executes.
            return sent.line == "POST /classes/Holiday" && !sent.body.contains("not a date") ? "one" : nil
        }
    }

    @Test func changesWaitOnlyForUploadsOfTheirOwnFiles() async throws {
        for n in 0..<3 {
            let file = try await client.upload("cat.png", String(repeating: "meow\(n)", count: 500_000))
            _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        }
        _ = try await client.json(.post, "/classes/Holiday", ["n": 1])
        #expect(try await world.replica.sync().uploaded == 3)
        #expect(writes() == ["one", "file", "file", "some", "file", "one"])
    }

    @Test func fileStoredOfflineIsUploadedBeforeItsObjectIsSent() async throws {
        world.transport.set { _, _, _ in .refused }
        let file = try await client.upload("cat.png", "meow")
        let made = try await client.json(.post, "/classes/Holiday", ["image": file])
        let id = try #require(made["objectId"]?.string)
        #expect(try await image(id) == file)
        #expect(await client.get(try await image(id)).text == "meow")
        _ = try await world.replica.failingSync()

        world.transport.heal()
        world.clock.advance(.seconds(3600))
        let summary = try await world.replica.sync()
        #expect(summary.uploaded == 1)
        #expect(summary.pushed == 1)
        let there = try #require(try world.hub.store.all("Holiday").values.first)
        let name = try #require(there["image"]?.object?["name"]?.string)
        #expect(name != file.object?["name"]?.string)
        #expect(name.hasSuffix("_cat.png") && name.utf8.count == 40)
        #expect(await hub.send(.get, "/files/app/\(name)").text == "meow")
        let here = try await image(try #require(there["objectId"]?.string))
        #expect(here?.object?["name"]?.string == name)
        #expect(await client.get(here).text == "meow")
        #expect(try world.replica.store.invariantViolations() == [])

        // The file's first URL, under its local name, redirects.
        let old = await client.get(file)
        #expect(old.status == .found)
        #expect(old.headers[.location] == here?.object?["url"]?.string)
        // The replica has the content of its own uploads, so it downloads nothing.
        #expect(!world.transport.requests.contains { $0.hasPrefix("GET") && $0.contains("/files/") })
    }

    @Test func fileIsUploadedToTheRemoteOnce() async throws {
        let file = try await client.upload("cat.png", "meow")
        for n in 0..<3 { _ = try await client.json(.post, "/classes/Holiday", ["image": file, "n": .int(n)]) }
        #expect(try await world.replica.sync().uploaded == 1)
        #expect(try await world.replica.sync().uploaded == 0)
        let names = Set(try world.hub.store.all("Holiday").values.map { $0["image"]?.object?["name"] })
        #expect(names.count == 1)
    }

    @Test func fileThatNoObjectContainsIsNotUploadedToTheRemote() async throws {
        _ = try await client.upload("cat.png", "meow")
        #expect(try await world.replica.sync().uploaded == 0)
        #expect(!world.transport.requests.contains { $0.contains("/files/") })
    }

    @Test func uploadWithALostReplyIsRepeatedAndItsObjectIsSent() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        _ = try await client.json(.post, "/classes/Holiday", ["n": 1])
        world.transport.once(.replyLost, isUpload)
        // A failure of one file does not block other changes.
        let summary = try await world.replica.sync()
        #expect(summary.pushed == 1)
        #expect(summary.deferred == 1)
        #expect(try await world.replica.sync().pushed == 1)
        let there = try #require(try world.hub.store.all("Holiday").values.first { $0["image"] != nil })
        #expect(await hub.send(.get, "/files/app/\(there["image"]?.object?["name"]?.string ?? "")").text == "meow")
        #expect(try await world.replica.store.figures().pending == 0)
    }

    // MARK: Downloads

    @Test func fileOfALazyFieldIsDownloadedAtItsFirstRead() async throws {
        let id = try await pulled()
        let file = try await image(id)
        #expect(file?.object?["url"]?.string?.hasPrefix("http://localhost:1338/files/") == true)
        #expect(!world.transport.requests.contains { $0.contains("/files/") })
        #expect(await client.get(file).text == "meow")
        world.transport.set { _, _, _ in .refused }
        let again = await client.get(file)
        #expect(again.text == "meow")
        #expect(again.headers[.contentType] == "image/png")
    }

    @Test func aFileThatWasNotDownloadedCannotBeReadOffline() async throws {
        let id = try await pulled()
        world.transport.set { _, _, _ in .refused }
        let response = await client.get(try await image(id))
        #expect(response.status == .serviceUnavailable)
        #expect(try response.json["code"] == 100)
    }

    @Test func fileOfAnEagerFieldIsDownloadedBeforeItsFirstRead() async throws {
        let id = try await pulled(files: "eager")
        await world.replica.files.fetchWanted()
        world.transport.set { _, _, _ in .refused }
        #expect(await client.get(try await image(id)).text == "meow")
    }

    /// A pause does not count as a failed download, so the file is downloaded after the pause.
    @Test func eagerDownloadIsPostponedWhileSyncingIsPaused() async throws {
        let id = try await pulled(files: "eager")
        try await world.replica.engine.pause()
        await world.replica.files.fetchWanted()
        #expect(try world.replica.store.filesToDownload(limit: 10).count == 1)
        try await world.replica.engine.resume()
        await world.replica.files.fetchWanted()
        world.transport.set { _, _, _ in .refused }
        #expect(await client.get(try await image(id)).text == "meow")
    }

    @Test func fileOfAFieldWithDownloadsOffKeepsTheRemotesURL() async throws {
        let id = try await pulled(files: ["image": "none"])
        await world.replica.files.fetchWanted()
        let url = try #require(try await image(id)?.object?["url"]?.string)
        #expect(url.hasPrefix("http://localhost:1337/"))
        #expect(!world.transport.requests.contains { $0.contains("/files/") })
    }

    @Test(arguments: ["eager", "lazy"])
    func aTruncatedDownloadIsNeverServed(files: String) async throws {
        let id = try await pulled(String(repeating: "meow", count: 1000), files: .string(files))
        world.transport.set { method, path, _ in
            method == "GET" && path.contains("/files/") ? .requestLost : nil
        }
        await world.replica.files.fetchWanted()
        #expect(await client.get(try await image(id)).status == .serviceUnavailable)
        world.transport.heal()
        #expect(await client.get(try await image(id)).text.utf8.count == 4000)
    }

    @Test func aMissingRemoteFileIsAnsweredWith404AndNotRequestedAgain() async throws {
        let id = try await pulled(files: "eager")
        let name = try #require(try world.hub.store.fields("Holiday", id)?["image"]?.object?["name"]?.string)
        try await world.hub.store.deleteFile(name)
        await world.replica.files.fetchWanted()
        #expect(await client.get(try await image(id)).status == .notFound)
        world.clock.advance(.seconds(100_000))
        _ = world.transport.takeSent()
        await world.replica.files.fetchWanted()
        #expect(world.transport.takeSent().isEmpty)
    }

    @Test(arguments: ["eager", "lazy"])
    func aTooLargeRemoteFileIsNotDownloaded(files: String) async throws {
        let large = String(repeating: "m", count: SyncedReplica.downloadBytesMax + 1)
        let id = try await pulled(large, files: .string(files))
        await world.replica.files.fetchWanted()
        _ = world.transport.takeSent()
        world.clock.advance(.seconds(100_000))
        await world.replica.files.fetchWanted()
        #expect(world.transport.takeSent().isEmpty)
        let response = await client.get(try await image(id))
        #expect(response.status == .gatewayTimeout)
        #expect(try response.json["error"]?.string?.contains("longer than the limit of 100000 bytes") == true)
        let other = try await pulled(String(large.dropLast()), files: .string(files))
        #expect(await client.get(try await image(other)).status == .ok)
    }

    @Test func aFailedDownloadIsAnErrorAndTriedAgainLater() async throws {
        let id = try await pulled(files: "eager")
        world.transport.once(.answer(status: 500, body: "<html>"), isDownload)
        await world.replica.files.fetchWanted()
        #expect(try world.replica.store.filesToDownload(limit: 9).isEmpty)
        world.clock.advance(.seconds(60))
        await world.replica.files.fetchWanted()
        world.transport.set { _, _, _ in .refused }
        #expect(await client.get(try await image(id)).text == "meow")
    }

    @Test func fileThatCannotBeDownloadedDoesNotDelayOthers() async throws {
        try await world.replica.set(["files": "eager"])
        for n in 0..<5 {
            let file = try await hub.upload(n < 4 ? "lost.png" : "cat.png", "meow")
            try await world.hub.store.create("Holiday", ["image": file, "n": .int(n)])
        }
        try await world.replica.sync()
        world.transport.set { _, path, _ in path.hasSuffix("lost.png") ? .refused : nil }
        await world.replica.files.fetchWanted()
        world.transport.set { _, _, _ in .refused }
        let list = try await client.json(.get, "/classes/Holiday?where=%7B%22n%22:4%7D")["results"]?.array
        #expect(await client.get(list?.first?.object?["image"]).text == "meow")
    }

    @Test func aPausedReplicaDownloadsNoFiles() async throws {
        let id = try await pulled()
        try await world.replica.engine.pause()
        _ = world.transport.takeSent()
        #expect(await client.get(try await image(id)).status == .serviceUnavailable)
        #expect(world.transport.takeSent().isEmpty)
    }

    @Test func concurrentReadsOfOneFileShareADownload() async throws {
        let id = try await pulled()
        let file = try await image(id)
        let (client, count) = (client, 8)
        let texts = await withTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { await client.get(file).text } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "meow", count: count))
        #expect(world.transport.requests.count { $0.hasPrefix("GET") && $0.contains("/files/") } <= count)
        #expect(try world.replica.store.filesToDownload(limit: 9).isEmpty)
    }

    @Test func anEvictedFileIsDownloadedAgain() async throws {
        let id = try await pulled(files: "eager")
        await world.replica.files.fetchWanted()
        try await world.replica.store.evictContents(bytesMax: 0)
        #expect(await client.get(try await image(id)).text == "meow")
    }

    @Test func fileChangedAtTheRemoteIsDownloadedAgain() async throws {
        let id = try await pulled()
        #expect(await client.get(try await image(id)).text == "meow")
        try await world.hub.store.update("Holiday", id, ["image": try await hub.upload("dog.png", "woof")])
        try await world.replica.sync()
        #expect(await client.get(try await image(id)).text == "woof")
    }

    // MARK: Two replicas

    @Test func fileUploadedByOneReplicaIsReadAtAnother() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        try await world.replica.sync()
        let (other, directory) = try await world.another()
        try await other.sync()
        let seen = FileClient(api: other.api(world.clock))
        let list = try await seen.json(.get, "/classes/Holiday")
        let image = list["results"]?.array?.first?.object?["image"]
        #expect(await seen.get(image).text == "meow")
        _ = directory
    }

    @Test func fileFieldInAConflictFollowsTheDecision() async throws {
        try await world.replica.set(["policy": "manual"])
        let id = try await pulled()
        let mine = try await client.upload("mine.png", "mine")
        _ = try await client.json(.put, "/classes/Holiday/\(id)", ["image": mine])
        try await world.hub.store.update("Holiday", id, ["image": try await hub.upload("theirs.png", "theirs")])
        #expect(try await world.replica.sync().conflicts == 1)
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(try await client.json(.get, "/sync/conflicts").jsonText.contains("http://localhost:1338/files/"))
        try await world.replica.store.resolveConflict(conflict.id, keep: "local", fields: nil)
        try await world.replica.sync()
        let there = try await hub.json(.get, "/classes/Holiday/\(id)")["image"]
        #expect(await hub.get(there).text == "mine")
    }
}
