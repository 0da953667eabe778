import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests answers of the remote that suggest implausibly many deletions.
@Suite("Implausibly large removals")
struct ImplausibleRemovalTests {
    private let world: World

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Birthday"], options: .withoutRecentAudit)
        for n in 0..<6 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.hub.store.create("Birthday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func drop(_ count: Int) async throws {
        for id in try world.hub.store.all("Holiday").keys.sorted().prefix(count) {
            try await world.hub.store.delete("Holiday", id)
        }
    }

    @Test func removalOfADroppedClassWaitsForADecisionAndOthersSync() async throws {
        try await drop(6)
        let other = try #require(try world.hub.store.all("Birthday").keys.first)
        try await world.hub.store.update("Birthday", other, ["n": 2])
        let summary = try await world.replica.sync()
        #expect(summary.classes["Holiday"]?.heldBack == 6)
        #expect(summary.removed == 0)
        #expect(try world.replica.store.all("Holiday").count == 6)
        try world.expectEqual("Birthday")
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        #expect(status["removals"] == 1)
    }

    @Test func removalOfHalfAClassIsAppliedAndOfMoreWaitsForADecision() async throws {
        try await drop(3)
        #expect(try await world.replica.sync().removed == 3)
        for n in 10..<13 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try await drop(4)
        world.clock.advance(.seconds(60))
        #expect(try await world.replica.sync().heldBack == 4)
    }

    private func nextSync() async throws -> SyncSummary {
        world.clock.advance(.seconds(60))
        return try await world.replica.sync()
    }

    /// Missing objects whose removal waits for a decision are searched for ever less often: when counts change, and at
    /// each audit.
    @Test func removalWaitingForADecisionTakesFewRequests() async throws {
        try await drop(5)
        #expect(try await world.replica.sync().requests > 1)
        var searches: [Int] = []
        for number in 2...20 {
            let summary = try await nextSync()
            if summary.requests > 1 { searches.append(number) }
            #expect(summary.heldBack == 5)
        }
        #expect(searches == [2, 4, 8, 16])
        try await world.hub.store.create("Holiday", ["n": 10])
        #expect(try await nextSync().requests > 1)
        #expect(try await nextSync().requests > 1)
        #expect(try await nextSync().requests == 1)
        world.clock.advance(.seconds(24 * 3600))
        #expect(try await nextSync().requests > 1)
        let summary = try await nextSync()
        #expect(summary.requests == 1)
        #expect(summary.heldBack == 5)
        #expect(try world.replica.store.all("Holiday").count == 7)
    }

    @Test func confirmedRemovalDeletesTheLocalObjects() async throws {
        try await drop(5)
        try await world.replica.sync()
        let (_, list) = try await world.replica.send("GET /sync/removals", clock: world.clock)
        let removal = try #require(list["results"]?.array?.first?.object)
        #expect(removal["objects"] == 5)
        #expect(removal["of"] == 6)
        let id = try #require(removal["id"]?.int)
        let (status, _) = try await world.replica.send("POST /sync/removals/\(id)/confirm", clock: world.clock)
        #expect(status == 200)
        try await world.replica.sync()
        try world.expectEqual()
    }

    @Test func objectsMissingAtTheRemoteAreCreatedAgainIfAUserKeepsThem() async throws {
        try await drop(5)
        try await world.replica.sync()
        let id = try #require(try world.replica.store.removals().first?.id)
        let (status, _) = try await world.replica.send("POST /sync/removals/\(id)/keep", clock: world.clock)
        #expect(status == 200)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").count == 6)
        #expect(Set(try world.hub.store.all("Holiday").values.compactMap { $0["n"]?.int }) == Set(0..<6))
        try world.expectEqual()
    }

    @Test func objectsThatWereMissingAtTheRemoteAndReappearNeedNoDecision() async throws {
        // The remote temporarily answers from another, empty database.
        world.transport.set { _, path, body in
            guard path.contains("Holiday") || body.contains("Holiday") else { return nil }
            let list = #"{"results":[],"count":0}"#
            guard path.hasSuffix("/batch") else { return .answer(status: 200, body: list) }
            let items = Array(repeating: #"{"success":\#(list)}"#, count: body.ranges(of: #""method""#).count)
            return .answer(status: 200, body: "[\(items.joined(separator: ","))]")
        }
        let summary = try await world.replica.sync()
        #expect(summary.heldBack == 6)
        #expect(try world.replica.store.all("Holiday").count == 6)
        world.transport.heal()
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try world.replica.store.removals().isEmpty)
        try world.expectEqual()
    }

    /// The invalid answer is given to every request about the class, and to no other request.
    @Test(arguments: [
        HandlerTransport.Fault.answer(status: 404, body: "<html>not found</html>"),
        .answer(status: 404, body: #"{"code":101,"error":"Object not found."}"#),
        .answer(status: 403, body: #"{"code":119,"error":"Permission denied"}"#),
        .answer(status: 502, body: "<html>bad gateway</html>"), .answer(status: 200, body: "<html>log in</html>"),
        .answer(status: 200, body: #"{"results":[]}"#), .answer(status: 200, body: "{}"),
        .answer(status: 200, body: #"{"results":[],"count":0}"#), .answer(status: 200, body: ""), .truncated,
    ])
    func invalidAnswersToAPullRemoveNoObject(fault: HandlerTransport.Fault) async throws {
        world.transport.set { _, path, body in path.contains("Holiday") || body.contains("Holiday") ? fault : nil }
        for _ in 0..<3 {
            _ = await world.replica.engine.startAndWait()
            world.clock.advance(.seconds(60))
        }
        // If the remote refuses to list the class, its objects are kept and hidden from clients.
        let isRefused = if case .answer(403...404, let body) = fault { body.contains("code") } else { false }
        #expect(try world.replica.store.all("Holiday").count == (isRefused ? 0 : 6))
        #expect(try world.replica.store.all("Birthday").count == 1)
        world.transport.heal()
        try await world.replica.sync()
        try world.expectEqual()
        try world.expectEqual("Birthday")
    }

    /// The pulls get correct answers. Only the requests that search for deletions get the invalid one.
    @Test(arguments: [
        HandlerTransport.Fault.answer(status: 404, body: "<html>not found</html>"),
        .answer(status: 500, body: #"{"code":1,"message":"Internal server error."}"#),
        .answer(status: 200, body: "<html>log in</html>"), .truncated,
        .answer(status: 200, body: #"{"results":[]}"#),
    ])
    func invalidAnswersToTheSearchForDeletionsRemoveNoObject(fault: HandlerTransport.Fault) async throws {
        try await drop(1)
        let isEmptyList = if case .answer(200, #"{"results":[]}"#) = fault { true } else { false }
        world.transport.set { _, _, body in
            body.contains("order=objectId") || (!isEmptyList && body.contains("\"$in\"")) ? fault : nil
        }
        _ = await world.replica.engine.startAndWait()
        // Before an object that is missing from a list is removed, it is read by its id.
        #expect(try world.replica.store.all("Holiday").count == (isEmptyList ? 5 : 6))
        world.transport.heal()
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try world.expectEqual()
    }
}
