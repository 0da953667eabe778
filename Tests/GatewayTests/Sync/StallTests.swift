import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Synchronization
import Testing

@testable import Gateway

/// Tests the reports about work that waits for more than 15 minutes while the remote answers.
@Suite("Stalls")
struct StallTests {
    private let world: World
    private var replica: SyncedReplica { world.replica }

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Birthday"])
        try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
    }

    /// Lets minutes pass. In each of them, the replica syncs and looks for a stall.
    private func wait(_ minutes: Int) async {
        for _ in 0..<minutes {
            world.clock.advance(.seconds(60))
            _ = await replica.attempt()
            await replica.stalls.evaluate(await replica.engine.status)
        }
    }

    private func stalled() async throws -> JSONObject? {
        try await replica.send("GET /sync", clock: world.clock).1["stalled"]?.object
    }

    private func entry() async throws -> JSONObject? {
        try await stalled()?["entries"]?.array?.first?.object
    }

    /// Creates a birthday that points to a holiday which the remote refuses.
    private func makeBlockedChange() async throws -> (holiday: String, birthday: String) {
        let holiday = try await replica.store.create("Holiday", ["n": "no number"])
        let birthday = try await replica.store.create(
            "Birthday", ["feast": Pointer(className: "Holiday", objectId: holiday).json])
        return (holiday, birthday)
    }

    @Test func aChangeThatWaitsForARefusedObjectIsStalledAfterTheTimeOfTheAlarm() async throws {
        let (holiday, birthday) = try await makeBlockedChange()
        await wait(14)
        #expect(try await stalled() == nil)
        #expect(await replica.figures(world.clock)["stalled_changes"] == 0)
        await wait(3)
        let stall = try #require(try await stalled())
        #expect(stall["changes"] == 1)
        #expect(stall["pulls"] == 0)
        let entry = try #require(try await entry())
        #expect(entry["kind"] == "change")
        #expect(entry["objectId"] == .string(birthday))
        #expect(entry["reason"] == "object")
        #expect(entry["text"] == .string("It points to /classes/Holiday/\(holiday), which the remote has refused."))
        #expect(entry["wayOut"]?.string?.contains("GET /sync/rejections") == true)
        #expect(entry["user"] == nil)
        #expect(await replica.figures(world.clock)["stalled_changes"] == 1)
    }

    @Test func beginAndEndOfAStallAreLoggedOnce() async throws {
        let (holiday, birthday) = try await makeBlockedChange()
        await wait(30)
        #expect(replica.stallLog.lines.count == 1)
        let line = try #require(replica.stallLog.lines.first)
        #expect(line.hasPrefix("warning: stalled for more than 900 seconds although the remote answers: 1 change."))
        #expect(line.contains("/classes/Birthday/\(birthday)") && line.contains("/classes/Holiday/\(holiday)"))
        let rejection = try #require(try replica.store.rejections().first)
        try await replica.store.retryRejection(rejection.id, fields: ["n": 2])
        await wait(2)
        #expect(try await stalled() == nil)
        #expect(replica.stallLog.lines.count == 2)
        #expect(
            replica.stallLog.lines.last
                == "info: the stall has ended: nothing has waited for more than 900 seconds")
        try world.expectEqual("Birthday")
    }

    @Test func timeWithoutAnAnswerOfTheRemoteDoesNotCount() async throws {
        _ = try await makeBlockedChange()
        world.transport.set { _, _, _ in .refused }
        await wait(60)
        #expect(try await stalled() == nil)
        world.transport.heal()
        await wait(14)
        #expect(try await stalled() == nil)
        // The remote is away for a time. The minutes before and after it count together.
        world.transport.set { _, _, _ in .refused }
        await wait(20)
        #expect(try await stalled() == nil)
        world.transport.heal()
        await wait(4)
        #expect(try await stalled()?["changes"] == 1)
        world.transport.set { _, _, _ in .refused }
        await wait(1)
        #expect(try await stalled() == nil)
        #expect(await replica.figures(world.clock)["stalled_changes"] == 0)
        #expect(replica.stallLog.lines.count == 1)
    }

    @Test func changesThatWaitBecauseSyncsArePausedAreNotStalled() async throws {
        try await replica.engine.pause()
        try await replica.store.create("Holiday", ["n": 2])
        await wait(60)
        #expect(try await stalled() == nil)
        try await replica.engine.resume()
        await wait(1)
        #expect(try await stalled() == nil)
        #expect(replica.stallLog.lines.isEmpty)
    }

    @Test func objectWithAnOpenDecisionIsNotStalled() async throws {
        let holiday = try await replica.store.create("Holiday", ["n": "no number"])
        await wait(30)
        #expect(try replica.store.rejections().map(\.objectId) == [holiday])
        #expect(try await stalled() == nil)
    }

    @Test func failingPullOfOneClassIsStalled() async throws {
        world.transport.set { method, path, body in
            guard path.contains("Birthday") || body.contains("Birthday") else { return nil }
            if path.hasSuffix("/batch") { return .answer(status: 200, body: "[") }
            return .answer(status: 200, body: "<html>")
        }
        await wait(20)
        let stall = try #require(try await stalled())
        #expect(stall["changes"] == 0)
        #expect(stall["pulls"] == 1)
        let entry = try #require(try await entry())
        #expect(entry["kind"] == "pull")
        #expect(entry["className"] == "Birthday")
        #expect(entry["text"]?.string?.hasPrefix("The class cannot be pulled: ") == true)
        #expect(await replica.figures(world.clock)["stalled_pulls"] == 1)
        world.transport.heal()
        await wait(1)
        #expect(try await stalled() == nil)
    }

    @Test func classThatTheRemoteForbidsToListIsNotStalled() async throws {
        world.transport.set { method, path, body in
            guard path.contains("Birthday") || body.contains("Birthday") else { return nil }
            let refusal = #"{"code":119,"error":"Permission denied"}"#
            if path.hasSuffix("/batch") {
                let items = Array(repeating: #"{"error":\#(refusal)}"#, count: body.ranges(of: #""method""#).count)
                return .answer(status: 200, body: "[\(items.joined(separator: ","))]")
            }
            return .answer(status: 400, body: refusal)
        }
        await wait(20)
        #expect(try await stalled() == nil)
    }

    @Test func refusedKeysAreAStall() async throws {
        try await replica.store.create("Holiday", ["n": 2])
        world.transport.set { _, _, _ in .answer(status: 403, body: #"{"error":"unauthorized"}"#) }
        await wait(20)
        let stall = try #require(try await stalled())
        #expect(stall["changes"] == 1)
        let kinds = stall["entries"]?.array?.map { $0.object?["kind"] }
        #expect(kinds == ["sync", "change"])
        #expect(try await entry()?["wayOut"]?.string?.contains("keys") == true)
    }

    @Test func streamOfChangesTellsAStall() async throws {
        let api = replica.api(world.clock)
        let told = Atomic(0)
        replica.changes.add { told.add(1, ordering: .relaxed) }
        _ = try await makeBlockedChange()
        await wait(15)
        let before = told.load(ordering: .relaxed)
        world.clock.advance(.seconds(120))
        await replica.stalls.evaluate(await replica.engine.status)
        #expect(told.load(ordering: .relaxed) == before + 1)
        #expect(try await api.send("GET /sync").1["stalled"]?.object?["changes"] == 1)
    }
}
