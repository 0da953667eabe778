import GatewayAPI
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Synchronization
import Testing

@testable import Gateway

/// Tests forwarded calls that depend on earlier local writes, which must be sent first.
@Suite("Forwarded calls and queued writes", .timeLimit(.minutes(5)))
struct QueuedWritesTests {
    /// A fake of the remote's cloud code. Its function returns the object that the parameter names.
    private final class CloudCode: RemoteCalls {
        let hub: Hub
        let heard = Mutex<[RemoteCall]>([])

        init(_ hub: Hub) { self.hub = hub }

        func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
            heard.withLock { $0.append(call) }
            if call.target.hasPrefix("/purge") || call.target.hasPrefix("/schemas") {
                try? await hub.store.dropObjects(of: "Holiday")
            }
            let body = (try? JSONReader.read(call.body))?.object ?? [:]
            let id = body["id"]?.string ?? body["holiday"].flatMap(Pointer.init)?.objectId ?? ""
            let isThere = (try? hub.store.object("Holiday", id)) != nil
            return RemoteAnswer(status: .ok, body: (["result": .bool(isThere)] as JSONObject).jsonBytes)
        }

        var last: JSONObject? { heard.withLock { $0.last.flatMap { try? JSONReader.read($0.body).object } } }
        var targets: [String] { heard.withLock { $0.map(\.target) } }
    }

    private let world: World
    private let code: CloudCode

    init() async throws {
        world = try await World.make()
        code = CloudCode(world.hub)
        try await world.replica.sync()
    }

    private func send(
        _ line: String, _ body: JSONObject? = nil, insists: Bool = false, isImpatient: Bool = false
    ) async throws -> (status: Int, body: JSONObject) {
        let parts = line.split(separator: " ").map(String.init)
        let target = parts[1].split(separator: "?", maxSplits: 1).map(String.init)
        var headers: HTTPFields = [HTTPField.Name("Host")!: "localhost"]
        if insists { headers[HTTPField.Name("X-Tidegate-Forward")!] = "now" }
        let api = world.replica.api(world.clock, remote: code, isImpatient: isImpatient)
        let answer = await api.handle(
            HTTPServerRequest(
                method: HTTPRequest.Method(rawValue: parts[0])!, path: target[0],
                query: target.count > 1 ? target[1] : nil, headers: headers, body: body?.jsonBytes ?? [])
        ).response()
        return (answer.status.code, try JSONReader.read(answer.wholeBody).object ?? [:])
    }

    @Test func aForwardedFunctionSeesEarlierLocalWrites() async throws {
        for _ in 0..<6 {
            let id = try await world.replica.store.create("Holiday", ["n": 1])
            let answer = try await send("POST /functions/find", ["id": .string(id)])
            #expect(answer.status == 200)
            #expect(answer.body["result"] == true)
        }
    }

    /// The remote has replaced the local ids, so the call must contain the new ones.
    @Test func aForwardedCallContainsTheRemotesIds() async throws {
        let id = try await world.replica.store.create("Holiday", ["n": 1])
        let pointer = Pointer(className: "Holiday", objectId: id)
        let body: JSONObject = [
            "holiday": pointer.json, "id": .string(id), "list": [[pointer.json], .string(id)],
            "where": .string((["holiday": pointer.json] as JSONObject).jsonText), "text": .string("about \(id)"),
        ]
        #expect(try await send("POST /functions/f", body).body["result"] == true)
        let theirs = try #require(try world.hub.store.all("Holiday").keys.first)
        #expect(theirs != id)
        let known = Pointer(className: "Holiday", objectId: theirs).json
        let sent = try #require(code.last)
        #expect(sent["holiday"] == known)
        #expect(sent["id"] == .string(theirs))
        #expect(sent["list"] == [[known], .string(theirs)])
        #expect(sent["where"]?.string?.contains(theirs) == true)
        #expect(sent["text"] == .string("about \(id)"))
        _ = try await send("POST /functions/f?id=\(id)", [:])
        _ = try await send("DELETE /users/\(id)")
        _ = try await send("POST /users", ["holiday": pointer.json])
        #expect(code.targets.suffix(3) == ["/functions/f?id=\(theirs)", "/users/\(theirs)", "/users"])
        #expect(code.last?["holiday"] == known)
        let item: JSONObject = [
            "method": "POST", "path": "/functions/f", "body": ["holiday": pointer.json],
        ]
        _ = try await send("POST /batch", ["requests": [.object(item)]])
        #expect(code.last?["holiday"] == known)
        // A forwarded query of users also waits for a pending object that its conditions name.
        let conditions = (["holiday": pointer.json] as JSONObject).jsonText.addingPercent
        _ = try await send("GET /users?where=\(conditions)")
        #expect(code.last?["where"] == ["holiday": known])
    }

    @Test func aForwardedCallContainsTheRemotesFileNames() async throws {
        let client = FileClient(api: world.replica.api(world.clock))
        let file = try await client.upload("cat.png", "meow")
        let name = try #require(file.object?["name"]?.string)
        _ = try await client.json(.post, "/classes/Holiday", ["image": file])
        _ = try await send("POST /functions/f", ["file": file, "name": .string(name)])
        let sent = try #require(code.last)
        #expect(sent["name"] != .string(name))
        #expect(sent["file"]?.object?["name"] == sent["name"])
        #expect(try world.hub.store.file(sent["name"]?.string ?? "") != nil)
    }

    @Test func forwardedCallAboutAnObjectWithARejectedChangeIsRefused() async throws {
        try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        let id = try await world.replica.store.create("Holiday", ["n": "text"])
        let other = try await world.replica.store.create("Holiday", ["n": 2])
        let refused = try await send("POST /functions/f", ["id": .string(id)])
        #expect(refused.status == 409)
        #expect(refused.body["code"] == 124)
        #expect(refused.body["ahead"] == 1)
        #expect(refused.body["error"]?.string?.contains("Holiday/\(id)") == true)
        #expect(code.targets.isEmpty)
        // Calls about other objects are sent, and so is this call if the client asks for it by the header
        // `X-Tidegate-Forward`.
        #expect(try await send("POST /functions/f", ["id": .string(other)]).status == 200)
        #expect(try await send("POST /functions/f", ["id": .string(id)], insists: true).status == 200)
    }

    /// The client names the object by its earlier, local id.
    @Test func forwardedCallReplacesTheLocalIdByTheRemotesId() async throws {
        try await world.hub.store.create("Holiday", ["n": 1])
        let id = try await world.replica.store.create("Holiday", ["n": 2])
        try await world.replica.sync()
        let theirs = try #require(try world.replica.store.object("Holiday", id)?.objectId)
        #expect(theirs != id)
        try await world.replica.store.update("Holiday", id, ["n": "text"])
        for name in [id, theirs] {
            #expect(try await send("POST /functions/f", ["id": .string(name)]).status == 409)
            let pointer = Pointer(className: "Holiday", objectId: name).json
            #expect(try await send("POST /functions/f", ["holiday": pointer]).status == 409)
        }
        #expect(code.targets.isEmpty)
    }

    /// The file is uploaded only together with an object that contains it. The call does not wait for that.
    @Test func forwardedCallThatNamesAFileNotOnTheRemoteIsRefused() async throws {
        let file = try await FileClient(api: world.replica.api(world.clock)).upload("cat.png", "meow")
        let answer = try await send("POST /functions/f", ["file": file])
        #expect(answer.status == 400)
        #expect(answer.body["code"] == 130)
        #expect(code.targets.isEmpty)
    }

    @Test func forwardedCallAboutAnObjectInAConflictIsRefused() async throws {
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        try await world.replica.store.update("Holiday", id, ["n": 2])
        try await world.hub.store.delete("Holiday", id)
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try world.replica.store.conflicts(resolved: false).count == 1)
        let answer = try await send("POST /functions/f", ["id": .string(id)])
        #expect(answer.status == 409)
        #expect(answer.body["code"] == 124)
    }

    @Test func forwardedCallThatNeedsQueuedWritesIsRefusedWhileSyncingIsPaused() async throws {
        try await world.replica.engine.pause()
        for n in 0..<3 { try await world.replica.store.create("Holiday", ["n": .int(n)]) }
        let answer = try await send("POST /functions/f", [:])
        #expect(answer.status == 409)
        #expect(answer.body["code"] == 124)
        #expect(answer.body["ahead"] == 3)
        #expect(code.targets.isEmpty)
        #expect(try await send("POST /functions/f", [:], insists: true).status == 200)
        #expect(try await send("POST /login", [:]).status == 200)
    }

    @Test func forwardedCallThatWaitsTooLongForQueuedWritesIsRefusedWith409() async throws {
        try await world.replica.store.create("Holiday", ["n": 1])
        let gate = world.transport.close()
        let answer = try await send("POST /functions/f", [:], isImpatient: true)
        #expect(answer.status == 409)
        #expect(answer.body["ahead"] == 1)
        #expect(code.targets.isEmpty)
        gate.open()
    }

    @Test func cancelledForwardedCallIsNotSent() async throws {
        try await world.replica.store.create("Holiday", ["n": 1])
        let gate = world.transport.close()
        let call = Task { try await send("POST /functions/f", [:]) }
        call.cancel()
        #expect(try await call.value.status == 409)
        #expect(code.targets.isEmpty)
        gate.open()
    }

    @Test func forwardedCallWaitsTenSecondsForQueuedWrites() async throws {
        try await world.replica.store.create("Holiday", ["n": 1])
        let gate = world.transport.close()
        async let answer = send("POST /functions/f", [:])
        try await until { world.clock.waits.contains(.seconds(10)) }
        gate.open()
        #expect(try await answer.status == 200)
    }

    @Test func forwardedCallIsRefusedAtOnceWhileTheRemoteIsUnreachable() async throws {
        try await world.replica.store.create("Holiday", ["n": 1])
        world.transport.set { _, _, _ in .refused }
        for time in 1...2 {
            _ = world.transport.takeSent()
            let answer = try await send("POST /functions/f", [:])
            #expect(answer.status == 503)
            #expect(answer.body["code"] == 100)
            // Each call tries to reach the remote, because a person waits for its answer.
            #expect(!world.transport.takeSent().isEmpty, "\(time)")
        }
        #expect(code.targets.isEmpty)
    }

    /// A write that depends on an object with an open conflict or rejection might wait forever, so other calls do not
    /// wait for it.
    @Test func rejectedWritesDoNotDelayForwardedCallsAboutOtherObjects() async throws {
        try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        let id = try await world.replica.store.create("Holiday", ["n": "text"])
        try await world.replica.store.create(
            "Holiday", ["after": Pointer(className: "Holiday", objectId: id).json])
        #expect(try await send("POST /functions/f", [:]).status == 200)
    }

    // MARK: Forwarded purges

    @Test(arguments: ["purge", "schemas"])
    func aForwardedPurgeEmptiesTheLocalClass(_ path: String) async throws {
        for n in 0..<20 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try world.replica.store.all("Holiday").count == 20)
        #expect(try await send("DELETE /\(path)/Holiday").status == 200)
        #expect(try world.replica.store.all("Holiday").isEmpty)
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try world.replica.store.removals().isEmpty)
    }

    /// The page was read before the purge and arrives after it, so it contains deleted objects.
    @Test func pageReadBeforeAForwardedPurgeRestoresNoObject() async throws {
        for n in 0..<20 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        world.clock.advance(.seconds(30))
        let gate = world.transport.holdAnswers()
        async let outcome = world.replica.engine.startAndWait()
        await gate.untilReached()
        async let purge = send("DELETE /purge/Holiday")
        // The purge either waits for the running sync or has already reached the remote.
        try await until { await world.replica.engine.isSuspended || !code.targets.isEmpty }
        gate.open()
        #expect(try await purge.status == 200)
        guard case .finished = await outcome else { throw try #require(nil as (any Error)?, "the sync did not finish") }
        for _ in 0..<2 {
            #expect(try world.replica.store.all("Holiday").isEmpty)
            #expect(try world.replica.store.removals().isEmpty)
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
    }
}

extension String {
    fileprivate var addingPercent: String {
        utf8.map { "%" + (($0 < 16 ? "0" : "") + String($0, radix: 16)) }.joined()
    }
}
