import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests servers and proxies that lose, delay or refuse requests, or whose answers are wrong.
@Suite("Sync with faulty servers and proxies")
struct BrokenServerTests {
    private let world: World
    private let ids: [String]

    init() async throws {
        world = try await World.make()
        var ids: [String] = []
        for number in 0..<8 { ids.append(try await world.hub.store.create("Holiday", ["n": .int(number)])) }
        self.ids = ids
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    /// A proxy answers with a time-out before the server has executed the request.
    @Test func aTimedOutRequestThatArrivesLateIsNotAppliedTwice() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["n": ["__op": "Increment", "amount": 1]])
        world.transport.set { [clock = world.clock] method, _, _ in
            guard method == "PUT" else { return nil }
            clock.advance(.seconds(15))
            return .answer(status: 504, body: "<html>Gateway Time-out</html>")
        }
        _ = await world.replica.engine.startAndWait()
        world.transport.heal()
        world.clock.advance(.seconds(2))
        _ = await world.replica.engine.startAndWait()
        #expect(try await world.replica.store.figures().pending == 1)
        // The delayed request arrives at the server now.
        try await world.hub.store.update("Holiday", ids[0], ["n": ["__op": "Increment", "amount": 1]])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", ids[0])?["n"] == 1)
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == [.wasThisApplied])
    }

    @Test func aConnectionThatBreaksTwiceEndsTheSync() async throws {
        for number in 0..<200 { try await world.replica.store.create("Holiday", ["n": .int(number)]) }
        _ = world.transport.takeSent()
        world.transport.set { method, path, body in
            let isWrite = method == "POST" && !body.contains(#""GET""#) && !body.contains("not a date")
            return isWrite ? .requestLost : nil
        }
        guard case .offline = try await world.replica.failingSync() else {
            Issue.record("a lost connection is offline")
            return
        }
        // The engine sends two batches at the same time, and after their failure one more.
        #expect(world.transport.takeSent().count { $0.line.hasPrefix("POST") && $0.body.contains(#""POST""#) } == 3)
    }

    @Test func editByAnotherDeviceAfterAPushIsDetectedAsAConflict() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["name": "first"])
        _ = await world.replica.engine.startAndWait(SyncRequest(pulls: false))
        world.clock.advance(.seconds(30))
        try await world.hub.store.update("Holiday", ids[0], ["name": "theirs"])
        try await world.replica.store.update("Holiday", ids[0], ["name": "second"])
        try await world.replica.sync()
        let settled = try #require(try world.replica.store.conflicts(resolved: true).first)
        #expect(settled.remote?.contains("theirs") == true)
        #expect(try world.hub.store.fields("Holiday", ids[0])?["name"] == "second")
    }

    @Test func aRefusedPullDoesNotStopThePush() async throws {
        let id = try await world.replica.store.create("Holiday", ["name": "waits"])
        world.transport.set { method, path, body in
            let isRead = method == "GET" || (path.hasSuffix("/batch") && body.contains(#""GET""#))
            return isRead ? .answer(status: 400, body: #"{"code":102,"error":"no"}"#) : nil
        }
        let summary = try await world.replica.sync()
        #expect(summary.pushed == 1)
        #expect(summary.warnings.count == 1)
        guard case .refused = try await world.replica.failingSync() else {
            Issue.record("a refusal is told where nothing was sent either")
            return
        }
        #expect(try world.hub.store.all("Holiday").count == 9)
        #expect(try world.replica.store.state("Holiday", id) == .synced)
    }
}
