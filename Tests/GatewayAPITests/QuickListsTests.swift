import ParseModel
import Synchronization
import Testing

@testable import GatewayAPI

/// The thread on which a list starts.
@Suite("Lists on the server's own thread")
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

    private func timeout(_ parameters: JSONObject) -> Duration? { lists.timeout(parameters, timeMax: .seconds(20)) }

    @Test func quickOneLeavesTheThreadToTheNext() {
        lists.watching { clock.pass(.milliseconds(4)) }
        #expect(timeout(["where": "{}"]) == QuickLists.timeout)
    }

    @Test func slowOneSendsThoseAfterItAwayForAWhile() {
        lists.watching { clock.pass(.milliseconds(6)) }
        #expect(timeout(["where": "{}"]) == nil)
        #expect(timeout([:]) == nil)
        clock.pass(.seconds(2))
        #expect(timeout(["where": "{}"]) == QuickLists.timeout)
    }

    @Test(
        arguments: [
            (["limit": 1], true), (["limit": "10", "keys": "name", "_method": "GET"], true), ([:], false),
            (["limit": 1000], false), (["limit": 1, "where": ["n": 1]], false), (["limit": 1, "order": "n"], false),
            (["limit": 1, "skip": 1_000_000], false), (["limit": 1, "count": 1], false), (["limit": "1x"], false),
            (["limit": 1, "include": "a"], false),
        ] as [(JSONObject, Bool)])
    func firstObjectsAreGivenAtOnceBesideSlowLists(_ parameters: JSONObject, _ isAtOnce: Bool) {
        lists.noteSlowOne()
        #expect(timeout(parameters) == (isAtOnce ? .milliseconds(500) : nil))
    }
}
