import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests how few requests a large push needs. The server chooses the ids of new objects.
@Suite("Number of requests of a large push")
struct PushSpeedTests {
    private let world: World

    init() async throws {
        world = try await World.make()
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func create(_ count: Int, in className: String = "Holiday") async throws {
        for start in stride(from: 0, to: count, by: 500) {
            let writes = (start..<min(count, start + 500)).map { n in
                WriteRequest.create(className: className, body: ["n": .int(n), "title": .string("object \(n)")])
            }
            for result in await world.replica.store.perform(writes, atomically: false) { _ = try result.get() }
        }
        _ = world.transport.takeSent()
    }

    private static func isPush(_ path: String, _ body: String) -> Bool {
        path.hasSuffix("/batch") && body.contains(#""method":"POST""#)
    }

    private func sizesOfPushes() -> [Int] {
        world.transport.takeSent().filter { Self.isPush($0.line, $0.body) }
            .map { $0.body.ranges(of: #""method":"POST""#).count }
    }

    @Test(arguments: ["Holiday", "Other"]) func largePushTakesFewRequestsBesideItsWriteBatches(
        className: String
    ) async throws {
        try await create(2000, in: className)
        #expect(try await world.replica.sync().requests <= 40 + 12)
        try world.expectEqual(className)
    }

    /// One list of the new objects proves all creates of a batch whose answer was lost.
    @Test func createsWithALostAnswerAreProvenByOneRead() async throws {
        try await create(500)
        world.transport.once(.replyLost) { _, path, body in Self.isPush(path, body) }
        #expect(try await world.replica.sync().requests <= 10 + 20)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        try world.expectEqual()
    }

    @Test func createsWithALostRequestAreDetectedByOneReadAndSentAgain() async throws {
        try await create(500)
        world.transport.once(.requestLost) { _, path, body in Self.isPush(path, body) }
        var requests = try await world.replica.sync().requests
        world.clock.advance(.seconds(60))
        requests += try await world.replica.sync().requests
        // A create that is sent again is sent alone, so that its outcome is clear.
        #expect(requests <= 10 + 50 + 40)
        try world.expectEqual()
    }

    /// The objects of all unanswered updates and deletions are read by id in one request.
    @Test func updatesWithALostAnswerAreProvenByOneRead() async throws {
        try await create(50)
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        for id in try world.replica.store.all("Holiday").keys {
            try await world.replica.store.update("Holiday", id, ["title": "changed"])
        }
        world.transport.once(.replyLost) { _, path, body in path.hasSuffix("/batch") && body.contains(#""PUT""#) }
        #expect(try await world.replica.sync().requests <= 10)
        try world.expectEqual()
    }

    // MARK: Batches that are too large

    private static func refusal(_ count: Int, limit: Int) -> HandlerTransport.Fault {
        .answer(
            status: 400,
            body:
                #"{"code":107,"error":"Batch request contains \#(count) sub-requests, which exceeds the limit of \#(limit)."}"#
        )
    }

    /// Makes the server refuse batches above this number of requests, like `batchRequestLimit` of Parse Server. The
    /// limit counts reads and writes.
    private func limitBatches(to limit: Int) {
        world.transport.set { _, path, body in
            let count = body.ranges(of: #""method""#).count
            return path.hasSuffix("/batch") && count > limit ? Self.refusal(count, limit: limit) : nil
        }
    }

    @Test func batchLimitNamedByTheServerAppliesToLaterBatches() async throws {
        limitBatches(to: 20)
        try await create(60)
        #expect(try await world.replica.sync().requests <= 15)
        #expect(sizesOfPushes().filter { $0 <= 20 }.reduce(0, +) == 60)
        world.clock.advance(.seconds(60))
        try await create(60)
        try await world.replica.sync()
        #expect(sizesOfPushes() == [20, 20, 20])
        try world.expectEqual()
    }

    /// Parse Server 9 hides the text of the refusal. A batch of as many reads then shows whether the number of
    /// requests is the reason.
    @Test func refusedBatchesAreHalvedIfTheServerNamesNoLimit() async throws {
        world.transport.set { _, path, body in
            path.hasSuffix("/batch") && body.ranges(of: #""method""#).count > 20
                ? .answer(status: 400, body: #"{"code":107,"error":"Permission denied"}"#) : nil
        }
        try await create(60)
        #expect(try await world.replica.sync().requests <= 24)
        world.clock.advance(.seconds(60))
        try await create(48)
        _ = try await world.replica.sync()
        #expect(sizesOfPushes() == [12, 12, 12, 12])
        try world.expectEqual()
    }

    /// Status 413 says that the body is too large, and not that the batch has too many requests.
    @Test func batchesWithTooLargeBodiesAreHalved() async throws {
        world.transport.set { _, path, body in
            path.hasSuffix("/batch") && body.utf8.count > 3000 ? .answer(status: 413, body: "Too large") : nil
        }
        try await create(60)
        #expect(try await world.replica.sync().requests <= 20)
        world.clock.advance(.seconds(60))
        try await create(60)
        _ = try await world.replica.sync()
        #expect(sizesOfPushes().reduce(0, +) == 60)
        #expect(try world.replica.store.rejections().isEmpty)
        try world.expectEqual()
    }

    /// A single object that is too large must not reduce the batch size for other objects.
    @Test func aTooLargeObjectIsRejectedAlone() async throws {
        world.transport.set { _, path, body in
            body.utf8.count > 20_000 ? .answer(status: 413, body: "Too large") : nil
        }
        try await create(30)
        try await world.replica.store.create("Holiday", ["text": .string(String(repeating: "x", count: 30_000))])
        try await world.replica.sync()
        #expect(try world.replica.store.rejections().map(\.code) == [116])
        _ = sizesOfPushes()
        world.clock.advance(.seconds(60))
        try await create(50)
        try await world.replica.sync()
        #expect(sizesOfPushes() == [50])
        #expect(try world.hub.store.all("Holiday").count == 80)
    }
}
