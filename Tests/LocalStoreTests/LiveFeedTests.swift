import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Live feed")
struct LiveFeedTests {
    private static let hour = Duration.seconds(3600)

    /// Changes as `kind id before→after`, where a state is the value of the field `n`.
    private func lines(_ page: LivePage) throws -> [String] {
        func value(_ text: String?) throws -> String {
            try text.map { try JSONReader.read($0).object?["n"]?.jsonText ?? "none" } ?? "-"
        }
        return try page.changes.map { "\($0.kind) \($0.objectId) \(try value($0.before))→\(try value($0.after))" }
    }

    private func page(
        _ store: LocalStore, since: Int64, limit: Int = 100, as principal: Principal = .master
    ) throws -> LivePage {
        try store.objects.live.changes(
            since: since, classes: ["Holiday"], limit: limit, for: LiveReader(principal: principal))
    }

    private func followed() async throws -> (store: LocalStore, start: Int64) {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        try await store.create(["objectId": "a", "n": 1])
        return (store, try await store.objects.live.follow(["Holiday"], for: Self.hour))
    }

    @Test func eachChangeHasTheStatesRightBeforeAndAfterIt() async throws {
        let (store, start) = try await followed()
        try await store.update("a", ["n": 2])
        try await store.create(["objectId": "b", "n": 1])
        try await store.update("a", ["n": 3])
        try await store.delete("a")
        try await store.update("b", ["n": 5])
        #expect(
            try lines(page(store, since: start)) == [
                "update a 1→2", "create b -→1", "update a 2→3", "delete a 3→-", "update b 1→5",
            ])
        // The state after a change does not depend on the page in which later changes are.
        #expect(try lines(page(store, since: start, limit: 1)) == ["update a 1→2"])
    }

    @Test func classThatIsNotFollowedStoresNoStates() async throws {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        try await store.create(["objectId": "a", "n": 1])
        try await store.update("a", ["n": 2])
        #expect(throws: StoreError.feedTrimmed(oldest: 3, newest: 2)) { try page(store, since: 0) }
        let start = try await store.objects.live.follow(["Holiday"], for: Self.hour)
        #expect(start == 2)
        #expect(throws: StoreError.feedTrimmed(oldest: 3, newest: 2)) { try page(store, since: 1) }
        #expect(try page(store, since: 2).changes.isEmpty)
    }

    @Test func purgeOfAClassShowsTheLastStateOfEachObject() async throws {
        let (store, start) = try await followed()
        try await store.dropObjects(of: "Holiday")
        #expect(try lines(page(store, since: start)) == ["delete a 1→-"])
    }

    @Test func objectThatIsDeletedAndCreatedAgainHasTwoLives() async throws {
        let (store, start) = try await followed()
        try await store.delete("a")
        try await store.create(["objectId": "a", "n": 7])
        #expect(try lines(page(store, since: start)) == ["delete a 1→-", "create a -→7"])
    }

    @Test func followedClassIsDroppedAfterItsTime() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        let start = try await store.objects.live.follow(["Holiday"], for: Self.hour)
        clock.advance(Self.hour * 2)
        _ = try await store.objects.live.follow(["Other"], for: Self.hour)
        #expect(throws: StoreError.self) { try page(store, since: start) }
    }

    /// Live queries on one class may lag behind when the first one on another class begins.
    @Test func newChangesOfOneClassDoNotNeedTheEarlierStatesOfAnother() async throws {
        let (store, start) = try await followed()
        try await store.update("a", ["n": 2])
        _ = try await store.objects.live.follow(["Guest"], for: Self.hour)
        let classes: Set = ["Holiday", "Guest"]
        let reader = LiveReader(principal: .master)
        let page = try store.objects.live.newChanges(since: start, classes: classes, limit: 10, for: reader)
        #expect(try lines(page) == ["update a 1→2"])
        #expect(throws: StoreError.feedTrimmed(oldest: 3, newest: 2)) {
            try store.objects.live.changes(since: start, classes: classes, limit: 10, for: reader)
        }
    }

    // MARK: Rights

    @Test func readerSeesOnlyTheStatesThatItMayRead() async throws {
        let (store, start) = try await followed()
        try await store.update("a", ["n": 2, "ACL": [:]])
        try await store.update("a", ["n": 3])
        try await store.update("a", ["n": 4, "ACL": ["*": ["read": true]]])
        #expect(
            try lines(page(store, since: start, as: .public)) == ["update a 1→-", "update a -→4"])
        let changes = try page(store, since: start).changes
        let live = store.objects.live
        let readable = try changes.map { try live.readability(of: $0, for: LiveReader(principal: .public)) }
        #expect(readable.map(\.before) == [true, false, false])
        #expect(readable.map(\.after) == [false, false, true])
    }

    // MARK: Positions

    private static let key = LiveSubscriptionKey(installation: "phone", requestId: "1", query: "q")

    @Test func positionIsKeptForItsLifetime() async throws {
        let clock = TestClock()
        let live = try LocalStore.make(clock: clock).objects.live
        #expect(try live.position(of: Self.key) == nil)
        try await live.remember([Self.key: 4], for: Self.hour)
        try await live.remember([Self.key: 9], for: Self.hour)
        #expect(try live.position(of: Self.key) == 9)
        clock.advance(Self.hour * 2)
        #expect(try live.position(of: Self.key) == nil)
    }

    @Test func forgottenPositionIsUnknown() async throws {
        let live = try LocalStore.make().objects.live
        try await live.remember([Self.key: 4], for: Self.hour)
        try await live.forget(Self.key)
        #expect(try live.position(of: Self.key) == nil)
    }
}
