import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Synchronization
import Testing

/// Tests temporary refusals. For example, a Parse Server with an outdated schema cache answers code 107 to creates in
/// a new class.
@Suite("Temporary refusals by the remote")
struct TemporaryRefusalTests {
    private let world: World

    init() async throws {
        world = try await World.make()
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private static let refusal = #"{"code":107,"error":"Could not add field title"}"#

    private func refuse(_ times: Int, alone: Bool) {
        let left = Counter(times)
        world.transport.set { method, path, body in
            guard method == "POST", body.contains("title"), left.take() else { return nil }
            if alone { return .answer(status: 400, body: Self.refusal) }
            let count = body.ranges(of: #""method""#).count
            let items = Array(repeating: #"{"error":\#(Self.refusal)}"#, count: count).joined(separator: ",")
            return .answer(status: 200, body: "[\(items)]")
        }
    }

    /// Runs several syncs a few seconds apart, as the engine does by itself while changes are pending.
    private func settle(_ syncs: Int = 8) async throws {
        for _ in 0..<syncs {
            try await world.replica.sync()
            world.clock.advance(.seconds(5))
        }
    }

    @Test(arguments: [1, 3]) func temporarilyRefusedChangeIsSentAgain(times: Int) async throws {
        let isAlone = true
        refuse(times, alone: isAlone)
        try await world.replica.store.create("Holiday", ["title": "a"])
        try await settle()
        #expect(try world.replica.store.rejections().isEmpty)
        #expect(try world.hub.store.all("Holiday").count == 1)
        try world.expectEqual()
    }

    @Test func temporarilyRefusedBatchItemsAreSentAgainInTheSameSync() async throws {
        refuse(1, alone: false)
        for n in 0..<10 { try await world.replica.store.create("Holiday", ["title": "a", "n": .int(n)]) }
        #expect(try await world.replica.sync().pushed == 10)
        #expect(try world.replica.store.rejections().isEmpty)
        try world.expectEqual()
    }

    @Test func aTemporarilyRefusedChangeIsSentAgainAfterADelay() async throws {
        refuse(1000, alone: true)
        try await world.replica.store.create("Holiday", ["title": "a"])
        let summary = try await world.replica.sync()
        #expect(summary.deferred == 1)
        #expect(summary.warnings.contains { $0.contains("Could not add field title") })
        let (_, pending) = try await world.replica.send("GET /sync/pending", clock: world.clock)
        #expect(pending["results"]?.array?.first?.object?["code"] == 107)
    }

    @Test func temporaryRefusalThatLastsBecomesARejection() async throws {
        refuse(1000, alone: true)
        let id = try await world.replica.store.create("Holiday", ["title": "a"])
        for _ in 0..<10 { try await world.replica.sync() }
        // Many attempts within a short time do not make the refusal permanent.
        #expect(try world.replica.store.rejections().isEmpty)
        try await settle()
        let rejection = try #require(try world.replica.store.rejections().first)
        #expect((rejection.code, rejection.error) == (107, "Could not add field title"))
        _ = world.transport.takeSent()
        try await world.replica.sync()
        #expect(world.transport.takeSent().count == 1)
        world.transport.heal()
        try await world.replica.store.retryRejection(rejection.id, fields: nil)
        try await world.replica.sync()
        #expect(try world.replica.store.object("Holiday", id) != nil)
        try world.expectEqual()
    }

    /// The refusal proves that the create was not executed, so it is sent again without a search for its object.
    @Test func aTemporarilyRefusedCreateIsSentAgainWithoutASearch() async throws {
        refuse(2, alone: true)
        try await world.replica.store.create("Holiday", ["title": "a"])
        _ = world.transport.takeSent()
        try await settle(2)
        #expect(!world.transport.requests.contains { $0.hasPrefix("GET /classes/Holiday") && $0.contains("createdAt") })
        #expect(try world.hub.store.all("Holiday").count == 1)
    }

    // MARK: Updates answered with code 101 although the object exists

    private func denyUpdates(_ times: Int) {
        let left = Counter(times)
        world.transport.set { method, _, _ in
            guard method == "PUT", left.take() else { return nil }
            return .answer(status: 404, body: #"{"code":101,"error":"Object not found."}"#)
        }
    }

    /// The remote answers 101 because the object was deleted. An outdated read still shows the object.
    @Test func outdatedReadAfterARemoteDeletionCausesNoRejection() async throws {
        let id = try await world.hub.store.create("Holiday", ["title": "a"])
        try await world.replica.sync()
        try await world.replica.store.update("Holiday", id, ["title": "b"])
        denyUpdates(2)
        #expect(try await world.replica.sync().deferred == 1)
        #expect(try world.replica.store.rejections().isEmpty)
        // A forwarded call does not wait for the temporarily refused change, unless the call names its object.
        let store = world.replica.store
        let newest = try store.latestWrite()
        #expect(try store.callersQueue(upTo: newest, naming: NamedThings(), by: .master).waiting == 0)
        var named = NamedThings()
        named.pointers = [Pointer(className: "Holiday", objectId: id)]
        #expect(try store.callersQueue(upTo: newest, naming: named, by: .master).undecided?.objectId == id)
        try await world.hub.store.delete("Holiday", id)
        try await settle()
        #expect(try world.replica.store.rejections().isEmpty)
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == [.deletedRemotely])
    }

    @Test func writeDeniedDespiteItsACLIsRejectedAfterSeveralAttempts() async throws {
        let id = try await world.hub.store.create("Holiday", ["title": "a"])
        try await world.replica.sync()
        try await world.replica.store.update("Holiday", id, ["title": "b"])
        denyUpdates(1000)
        try await settle()
        let rejection = try #require(try world.replica.store.rejections().first)
        #expect(rejection.code == 101 && rejection.error?.hasPrefix("Not allowed") == true, "\(rejection)")
    }

    @Test func writeThatTheKnownACLDeniesIsRejectedAtOnce() async throws {
        let id = try await world.hub.store.create("Holiday", ["title": "a", "ACL": ["*": ["read": true]]])
        try await world.replica.sync()
        try await world.replica.store.update("Holiday", id, ["title": "b"])
        denyUpdates(1000)
        try await world.replica.sync()
        #expect(try world.replica.store.rejections().first?.code == 101)
    }

    private final class Counter: Sendable {
        private let left: Mutex<Int>
        init(_ count: Int) { left = Mutex(count) }

        func take() -> Bool {
            left.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
        }
    }
}
