import Foundation
import ParseModel
import ParseRemote
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

@testable import Gateway

/// Tests uploads that the remote refuses, that fail, or that are impossible.
@Suite("Uploads that the remote refuses")
struct RefusedUploadTests {
    private let world: World
    private let client: FileClient

    init() async throws {
        world = try await World.make()
        client = FileClient(api: world.replica.api(world.clock))
        try await world.replica.sync()
    }

    private func isUpload(_ method: String, _ path: String, _: String) -> Bool {
        method == "POST" && path.contains("/files/")
    }

    @Test func refusedUploadIsListedAsARejectedChange() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file, "n": 1])
        _ = try await client.json(.post, "/classes/Holiday", ["n": 2])
        let refusal = #"{"code":130,"error":"File upload by public is disabled."}"#
        world.transport.once(.answer(status: 400, body: refusal), isUpload)
        let summary = try await world.replica.sync()
        #expect(summary.rejections == 1)
        #expect(summary.pushed == 1)
        let rejection = try #require(try world.replica.store.rejections().first)
        #expect(rejection.code == 130)
        #expect(rejection.error == "The file cat.png was refused: File upload by public is disabled.")
        try await world.replica.store.retryRejection(rejection.id, fields: nil)
        #expect(try await world.replica.sync().pushed == 1)
        #expect(try world.hub.store.all("Holiday").count == 2)
    }

    @Test func anUploadThatFailsAtTheServerIsTriedFiveTimes() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        world.transport.set { method, path, body in
            method == "POST" && path.contains("/files/") ? .answer(status: 500, body: "<html>") : nil
        }
        for turn in 1...5 {
            let other = try await client.json(.post, "/classes/Holiday", ["n": .int(turn)])
            #expect(other["objectId"] != nil)
            let summary = try await world.replica.sync()
            #expect(summary.pushed == 1)
            #expect(summary.rejections == (turn == 5 ? 1 : 0))
            #expect(summary.deferred == (turn == 5 ? 0 : 1))
        }
        world.transport.heal()
        let rejection = try #require(try world.replica.store.rejections().first)
        try await world.replica.store.retryRejection(rejection.id, fields: nil)
        #expect(try await world.replica.sync().pushed == 1)
    }

    @Test func changeWhoseFileContentIsLostLocallyIsRejected() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        let stored = try #require(try world.replica.store.file(file.object?["name"]?.string ?? ""))
        try FileManager.default.removeItem(atPath: try #require(world.replica.store.contentPath(of: stored)))
        #expect(try await world.replica.sync().rejections == 1)
        #expect(try world.replica.store.rejections().first?.code == 130)
    }

    @Test func changeWhoseFileTheKeysMayNotUploadIsRejected() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        _ = try await client.json(.post, "/classes/Holiday", ["n": 1])
        world.transport.once(.answer(status: 403, body: #"{"error":"unauthorized"}"#), isUpload)
        let summary = try await world.replica.sync()
        #expect(summary.pushed == 1)
        #expect(summary.rejections == 1)
    }

    /// A proxy or a captive portal refuses an upload with a page.
    @Test func uploadThatAWebPageRefusesIsSentAgain() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        world.transport.once(.answer(status: 403, body: "<html>Log in to this network</html>"), isUpload)
        let summary = try await world.replica.sync()
        #expect(summary.rejections == 0 && summary.deferred == 1)
        #expect(try await world.replica.sync().pushed == 1)
    }

    /// The session of a sync can end between its reads and an upload.
    @Test func uploadUnderAnEndedSessionWaitsForTheNextSync() async throws {
        let file = try await client.upload("cat.png", "meow")
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        world.transport.once(.answer(status: 400, body: #"{"code":209,"error":"Permission denied"}"#), isUpload)
        #expect(try await world.replica.failingSync() == .unauthorized(message: "Permission denied"))
        #expect(try world.replica.store.rejections().isEmpty)
        #expect(try await world.replica.sync().pushed == 1)
    }

    /// A forwarded call is sent immediately, so the file would be missing on the remote.
    @Test func forwardedCallThatNamesAFileNotYetUploadedIsRefused() async throws {
        let remote = ParseRemote(
            configuration: .init(
                serverURL: "http://localhost:1337/parse", applicationId: "app", replicaId: "replica"),
            transport: world.transport)
        let forwarder = RemoteForwarder(
            service: remote.calls!, masterKey: nil, circuit: RemoteCircuit(environment: TestClock().advancing)
        ) { false }
        let client = FileClient(api: world.replica.api(world.clock, remote: forwarder))
        let file = try await client.upload("cat.png", "meow")
        let call: JSONObject = ["photo": file]
        #expect(try await client.json(.post, "/functions/hello", call)["code"] == 130)
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        try await world.replica.sync()
        // The file is uploaded now, so the call is sent. The remote has no such function.
        #expect(try await client.json(.post, "/functions/hello", call)["code"] == 141)
    }
}
