import ParseModel
import Synchronization
import Testing

@testable import LocalStore

/// Tests when an index is due, and when the callback of the keeper is called at once.
struct IndexKeeperTests {
    private final class Calls: Sendable {
        let count = Mutex(0)
    }

    private let calls = Calls()
    private let keeper: IndexKeeper
    private let name = try? FieldIndex(className: "Holiday", path: FieldPath("name"))

    init() {
        keeper = IndexKeeper(IndexKeeper.Limits(), began: .zero) { [calls] in calls.count.withLock { $0 += 1 } }
    }

    private var callCount: Int { calls.count.withLock { $0 } }

    private func miss(_ count: Int, lasting duration: Duration = .milliseconds(1), at uptime: Duration = .zero) throws {
        let index = try #require(name)
        for _ in 0..<count { keeper.noteMiss(index, lasting: duration, at: uptime) }
    }

    private var isDue: Bool { keeper.due(present: [], at: .zero).make == [name] }

    @Test func twentyQuickQueriesWithoutAnIndexRequestOneAtOnce() throws {
        try miss(19)
        #expect(callCount == 0 && !isDue)
        try miss(1)
        #expect(callCount == 1 && isDue)
        try miss(40)
        #expect(callCount == 1)
    }

    @Test func threeSlowQueriesWithoutAnIndexRequestOneAtOnce() throws {
        try miss(2, lasting: .seconds(2))
        #expect(callCount == 0 && !isDue)
        try miss(1, lasting: .milliseconds(1))
        #expect(callCount == 1 && isDue)
    }

    /// A class may be too small for an index, or have lists in the field.
    @Test func aRefusedIndexIsRequestedAgainAfterAMinute() throws {
        let index = try #require(name)
        try miss(20)
        keeper.noteRefused(index, at: .seconds(10))
        #expect(!isDue)
        try miss(20, at: .seconds(20))
        #expect(callCount == 1 && isDue)
        keeper.noteRefused(index, at: .seconds(20))
        try miss(20, at: .seconds(80))
        #expect(callCount == 2)
        keeper.noteCreated(index, at: .seconds(81))
        #expect(!isDue)
        try miss(20, at: .seconds(82))
        #expect(callCount == 3)
    }
}
