import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
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
        return (store, try await follow("Holiday", in: store))
    }

    /// - Returns: the number after which the states of all changes are stored.
    private func follow(_ className: String, in store: LocalStore) async throws -> Int64 {
        try #require(try await store.objects.live.follow([className], for: Self.hour)[className])
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
        let start = try await follow("Holiday", in: store)
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
        let start = try await follow("Holiday", in: store)
        clock.advance(Self.hour * 2)
        _ = try await store.objects.live.follow(["Other"], for: Self.hour)
        #expect(throws: StoreError.self) { try page(store, since: start) }
    }

    /// The clock of a machine without a battery is often late until it has asked the network.
    @Test func jumpOfTheClockDoesNotEndTheClassesThatAreStillFollowed() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock) { $0.allowsChosenIds = true }
        let start = try await follow("Holiday", in: store)
        clock.advance(Self.hour * 2)
        let starts = try await store.objects.live.follow(["Holiday", "Guest"], for: Self.hour)
        #expect(starts == ["Holiday": start, "Guest": start])
        try await store.create(["objectId": "a", "n": 1])
        try await store.delete("a")
        #expect(try lines(page(store, since: start)) == ["create a -→1", "delete a 1→-"])
    }

    @Test func hiddenObjectsOfARefusedPullShowTheirLastStates() async throws {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        let pull = PullId(className: "Holiday", name: "all")
        try await store.registerClass("Holiday")
        let row = RemoteRecord(
            className: "Holiday", objectId: "a", createdAt: LocalStore.serverTime, updatedAt: LocalStore.serverTime,
            fields: ["n": 1])
        _ = try await store.sync.apply(
            [.upsert(row)], of: pull, cursor: nil, began: LocalStore.serverTime, isLast: true)
        let start = try await follow("Holiday", in: store)
        try await store.sync.setRefusal("no", of: pull, hidesObjects: true)
        #expect(try lines(page(store, since: start)) == ["delete a 1→-"])
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

    private func take(
        _ store: LocalStore, by process: Int64 = 1, notAfter last: Int64? = nil
    ) async throws -> LivePosition {
        try await store.objects.live.takePosition(of: Self.key, by: process, notAfter: last, for: Self.hour)
    }

    private func leave(_ store: LocalStore, _ position: LivePosition, at number: Int64) async throws {
        try await store.objects.live.remember([position.id: number], by: nil, for: Self.hour)
    }

    @Test func subscriptionStartsWhereTheEarlierOneHasEnded() async throws {
        let store = try LocalStore.make()
        for number in 1...9 { try await store.create(["n": .int(number)]) }
        let first = try await take(store)
        #expect(first.number == 9 && first.isComplete)
        try await leave(store, first, at: 4)
        #expect(try await take(store) == LivePosition(id: first.id, number: 4, isComplete: true))
        // The first subscription is still open.
        #expect(try await take(store, notAfter: 6).number == 6)
        try await store.objects.live.forget(first.id)
        #expect(try await take(store).number == 9)
    }

    /// The positions of many subscriptions are stored together, and one of these may end meanwhile.
    @Test func positionThatIsStoredAfterItsEndStaysLeft() async throws {
        let store = try LocalStore.make()
        let first = try await take(store)
        try await leave(store, first, at: 0)
        try await store.objects.live.remember([first.id: 0], by: 1, for: Self.hour)
        #expect(try await take(store).id == first.id)
    }

    @Test func positionsOfAnEndedProcessAreLeft() async throws {
        let store = try LocalStore.make()
        let first = try await take(store, by: 1)
        try await store.objects.live.remember([first.id: 0], by: 1, for: Self.hour)
        try await store.create(["n": 1])
        #expect(try await take(store, by: 2).number == 0)
    }

    /// The tabs of a browser have the same installation id.
    @Test func eachTabThatComesBackStartsAtTheEarliestPosition() async throws {
        let store = try LocalStore.make()
        for number in 1...9 { try await store.create(["n": .int(number)]) }
        let tabs = [try await take(store), try await take(store)]
        try await leave(store, tabs[0], at: 3)
        try await leave(store, tabs[1], at: 7)
        for _ in tabs { #expect(try await take(store).number == 3) }
        #expect(try await take(store).number == 9)
    }

    @Test func latePositionIsIncompleteOnce() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        try await leave(store, try await take(store), at: 0)
        try await store.create(["n": 1])
        clock.advance(Self.hour * 2)
        let late = try await take(store)
        #expect(late.number == 1 && !late.isComplete)
        try await leave(store, late, at: late.number)
        #expect(try await take(store) == LivePosition(id: late.id, number: 1, isComplete: true))
    }
}
