import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Change feed")
struct ChangeFeedTests {
    /// Entries as `number kind class id`, and where the next page starts.
    private func page(
        _ store: LocalStore, since: Int64 = 0, classes: Set<String>? = nil, limit: Int = 100
    ) throws -> (lines: [String], next: Int64) {
        let page = try store.changes(since: since, classes: classes, limit: limit)
        return (page.entries.map { "\($0.number) \($0.kind) \($0.className) \($0.objectId)" }, page.next)
    }

    private func storeWithThreeChanges() async throws -> LocalStore {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        try await store.create(["objectId": "a", "n": 1])
        try await store.create(["objectId": "b"], of: "Birthday")
        try await store.update("a", ["n": 2])
        return store
    }

    @Test func everyChangeInTheFeedHasTheNextNumber() async throws {
        let store = try await storeWithThreeChanges()
        try await store.delete("b", of: "Birthday")
        #expect(
            try page(store).lines == [
                "1 create Holiday a", "2 create Birthday b", "3 update Holiday a", "4 delete Birthday b",
            ])
        #expect(try page(store).next == 4)
        #expect(try page(store, since: 3).lines == ["4 delete Birthday b"])
        #expect(try page(store, since: 4).lines.isEmpty)
        #expect(try page(store, since: 4).next == 4)
    }

    @Test func anEmptyFeedStartsAtZero() throws {
        let store = try LocalStore.make()
        #expect(try page(store).lines.isEmpty)
        #expect(try page(store).next == 0)
    }

    @Test func aReaderMayStartAtTheEndOfTheFeed() async throws {
        let store = try await storeWithThreeChanges()
        let end = try store.changes(since: nil, classes: nil, limit: 10)
        #expect(end.entries.isEmpty)
        #expect(end.next == 3)
        #expect(try LocalStore.make().changes(since: nil, classes: nil, limit: 10).next == 0)
    }

    @Test func feedEntriesContainThePresentStateOfTheObject() async throws {
        let store = try await storeWithThreeChanges()
        try await store.delete("b", of: "Birthday")
        let entries = try store.changes(since: 0, classes: nil, limit: 10).entries
        let view = try #require(try store.object("Holiday", "a")).jsonText
        #expect(entries.map(\.json) == [view, nil, view, nil])
    }

    @Test func pagesOfTheFeedContinueWithoutGaps() async throws {
        let store = try await storeWithThreeChanges()
        let first = try page(store, limit: 2)
        #expect(first.lines == ["1 create Holiday a", "2 create Birthday b"])
        #expect(first.next == 2)
        let second = try page(store, since: first.next, limit: 2)
        #expect(second.lines == ["3 update Holiday a"])
        #expect(second.next == 3)
        // A page without entries does not advance the position.
        #expect(try page(store, since: 1, limit: 0).next == 1)
    }

    @Test func feedEntriesOfOtherClassesAreSkipped() async throws {
        let store = try await storeWithThreeChanges()
        #expect(try page(store, classes: ["Birthday"]).lines == ["2 create Birthday b"])
        // The position passes the entries of other classes up to the end of the feed.
        #expect(try page(store, classes: ["Birthday"]).next == 3)
        #expect(try page(store, classes: ["Birthday"], limit: 1).next == 2)
        #expect(try page(store, classes: ["Birthday", "Holiday"]).lines.count == 3)
        #expect(try page(store, classes: []).lines.isEmpty)
    }

    @Test func aFailedWriteUsesNoNumberOfTheFeed() async throws {
        let store = try await storeWithThreeChanges()
        await #expect(throws: ParseError.self) { try await store.update("a", ["n": "wrong"]) }
        try await store.update("a", ["n": 3])
        #expect(try page(store, since: 3).lines == ["4 update Holiday a"])
    }

    @Test func aPulledRowWithoutVisibleChangesMakesNoFeedEntry() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["n": 1])])
        try await store.pull([.make("a", ["n": 1])])
        #expect(try page(store).lines == ["1 create Holiday a"])
        try await store.pull([.make("a", ["n": 2], updatedMs: 3000)])
        #expect(try page(store, since: 1).lines == ["2 update Holiday a"])
        try await store.update("a", ["n": 3])
        try await store.sync.freeze("a")
        #expect(try page(store, since: 2).lines == ["3 update Holiday a"])
    }

    @Test(arguments: [4, Int64.max])
    func aFeedPositionAfterTheEndIsRefused(since: Int64) async throws {
        let store = try await storeWithThreeChanges()
        #expect(throws: StoreError.feedTrimmed(oldest: 1, newest: 3)) {
            try store.changes(since: since, classes: nil, limit: 10)
        }
    }

    @Test func aFeedPositionBeforeTrimmedEntriesIsRefused() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        let old = (0..<998).map { WriteRequest.create(className: "Holiday", body: ["n": .int($0)]) }
        _ = await store.perform(old, atomically: true)
        clock.advance(.seconds(31 * 24 * 3600))
        try await store.create(["n": 998])
        try await store.create(["n": 999])
        for (since, classes) in [(997, nil), (0, ["Birthday"])] as [(Int64, Set<String>?)] {
            #expect(throws: StoreError.feedTrimmed(oldest: 999, newest: 1000)) {
                try store.changes(since: since, classes: classes, limit: 10)
            }
        }
        #expect(try store.changes(since: 998, classes: nil, limit: 10).entries.map(\.number) == [999, 1000])
        #expect(try store.changes(since: 1000, classes: nil, limit: 10).entries.isEmpty)
        #expect(try store.ids(["limit": 2000]).count == 1000)
    }

    @Test func feedNumbersContinueAfterReopening() async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(in: directory)
        let id = try #require(try await store?.create(["n": 1]))
        try await store?.delete(id)
        store = nil
        store = try LocalStore.make(in: directory)
        let last = try #require(try await store?.create(["n": 2]))
        #expect(try store.map { try page($0, since: 2).lines } == ["3 create Holiday \(last)"])
    }
}
