import ParseModel
import Synchronization
import Testing

@testable import GatewayAPI

/// Checks whether a list query starts on the server's own thread or on a thread for slow reads.
@Suite("Choice of the thread for list queries")
struct QuickListsTests {
    private final class Clock: Sendable {
        private let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }
        func pass(_ span: Duration) { time.withLock { $0 += span } }
    }

    private let clock = Clock()
    private let lists: QuickLists

    init() {
        lists = QuickLists(uptime: { [clock] in clock.now })
    }

    private func start(_ parameters: JSONObject, of className: String = "Holiday") -> QuickLists.Start {
        lists.start(of: className, parameters, timeMax: .seconds(20))
    }

    private static let usual = QuickLists.Start.atOnce(within: QuickLists.timeout)

    @Test func listAfterAFastListStartsOnTheServerThread() {
        lists.watching { clock.pass(.milliseconds(4)) }
        #expect(start(["where": "{}"]) == Self.usual)
    }

    @Test func listsWithinTwoSecondsOfASlowListStartOnAnotherThread() {
        lists.watching { clock.pass(.milliseconds(6)) }
        #expect(start(["where": "{}"]) == .onQuickThread)
        #expect(start([:]) == .onQuickThread)
        clock.pass(.seconds(2))
        #expect(start(["where": "{}"]) == Self.usual)
    }

    @Test(
        arguments: [
            (["limit": 1], true), (["limit": "10", "keys": "name", "_method": "GET"], true), ([:], false),
            (["limit": 1000], false), (["limit": 1, "where": ["n": 1]], false), (["limit": 1, "order": "n"], false),
            (["limit": 1, "skip": 1_000_000], false), (["limit": 1, "count": 1], false), (["limit": "1x"], false),
            (["limit": 1, "include": "a"], false),
        ] as [(JSONObject, Bool)])
    func shortUnfilteredListsStartOnTheServerThreadDespiteSlowLists(_ parameters: JSONObject, _ isAtOnce: Bool) {
        lists.noteSlowOne()
        #expect(start(parameters) == (isAtOnce ? .atOnce(within: .milliseconds(500)) : .onQuickThread))
    }

    // MARK: Shapes of list queries

    /// Records that a list query took this time on a thread for slow reads.
    private func run(_ parameters: JSONObject, takes milliseconds: Int) {
        lists.notingTime(of: "Holiday", parameters) { clock.pass(.milliseconds(milliseconds)) }
    }

    @Test(
        arguments: [
            (["where": ["name": "b"], "order": "n"], true),
            (["where": #"{"name":"b"}"#, "order": "n", "skip": 100, "_SessionToken": "r:b"], true),
            (["where": ["name": 7], "order": "n"], true), (["where": ["name": ["$gt": "b"]], "order": "n"], false),
            (["where": ["name": "b", "n": 1], "order": "n"], false), (["where": ["n": 1], "order": "n"], false),
            (["where": ["name": "b"]], false), (["where": ["name": "b"], "order": "-n"], false), ([:], false),
            (["where": "not JSON", "order": "n"], false),
        ] as [(JSONObject, Bool)])
    func listOfTheSameShapeAsASlowListStartsOnTheSlowReadThread(_ parameters: JSONObject, _ isLike: Bool) {
        run(["where": ["name": "a"], "order": "n", "_SessionToken": "r:a"], takes: 41)
        #expect(start(parameters) == (isLike ? .onSlowThread : Self.usual))
        #expect(start(parameters, of: "Birthday") == Self.usual)
    }

    @Test func shapeOfAListIgnoresTheNumberOfComparedValues() {
        run(["where": ["name": ["$in": ["a", "b"]]]], takes: 41)
        #expect(start(["where": ["name": ["$in": ["c", "d", "e"]]]]) == .onSlowThread)
        run(["where": ["$or": [["name": "a"], ["n": 1]]]], takes: 41)
        #expect(start(["where": ["$or": [["name": "b"], ["n": 2]]]]) == .onSlowThread)
        #expect(start(["where": ["$or": [["name": "b"], ["name": "c"]]]]) == Self.usual)
    }

    @Test func listThatBecameFastStartsOnTheServerThread() {
        run(["where": ["name": "a"]], takes: 41)
        run(["where": ["name": "b"]], takes: 40)
        #expect(start(["where": ["name": "a"]]) == Self.usual)
    }

    @Test func slowFailedListCountsAsSlow() {
        struct Failure: Error {}
        for milliseconds in [20_000, 1] {
            #expect(throws: Failure.self) {
                try lists.notingTime(of: "Holiday", [:]) {
                    clock.pass(.milliseconds(milliseconds))
                    throw Failure()
                }
            }
            #expect(start([:]) == .onSlowThread)
        }
    }

    @Test func shapeOfAListIgnoresTheOrderOfConditions() {
        run(["order": "n", "where": ["name": "a", "n": ["$gt": 1, "$lt": 2]]], takes: 41)
        #expect(start(["where": ["n": ["$lt": 4, "$gt": 3], "name": "b"], "order": "n"]) == .onSlowThread)
    }

    @Test func theNumberOfRememberedSlowListsIsBounded() {
        for n in 0..<SlowShapes.countMax { run(["order": .string("field\(n)")], takes: 41) }
        run(["order": "field7"], takes: 41)
        #expect(start(["order": "field0"]) == .onSlowThread)
        run(["order": .string("field\(SlowShapes.countMax)")], takes: 41)
        #expect(start(["order": "field0"]) == Self.usual)
        #expect(start(["order": .string("field\(SlowShapes.countMax)")]) == .onSlowThread)
    }
}
