import Synchronization
import Testing

@testable import HTTPServer

@Suite("Requests in progress", .timeLimit(.minutes(5)))
struct RequestsInProgressTests {
    /// A replacement for `sleep` that the test ends.
    private final class Waits: Sendable {
        private let begun = Mutex<[Duration]>([])
        let first = Gate()
        let end = Gate()

        var limits: [Duration] { begun.withLock { $0 } }

        func sleep(_ limit: Duration) async throws {
            begun.withLock { $0.append(limit) }
            first.open()
            await withTaskCancellationHandler {
                await end.pass()
            } onCancel: {
                end.open()
            }
            try Task.checkCancellation()
        }
    }

    private let waits = Waits()
    private let requests: RequestsInProgress

    init() { requests = RequestsInProgress(sleep: waits.sleep) }

    @Test func waitForRequestsReturnsAtOnceIfNoneIsInProgress() async {
        requests.begin()
        requests.end()
        await requests.waitUntilNone(within: .seconds(10))
        #expect(waits.limits.isEmpty)
    }

    @Test func waitForRequestsEndsWithTheLastRequest() async {
        requests.begin()
        requests.begin()
        async let isOver: Void = requests.waitUntilNone(within: .seconds(10))
        await waits.first.pass()
        requests.end()
        requests.end()
        // The virtual sleep of the time limit never ends here.
        await isOver
        #expect(waits.limits == [.seconds(10)])
    }

    @Test func waitForRequestsEndsAtItsTimeLimit() async {
        requests.begin()
        async let isOver: Void = requests.waitUntilNone(within: .milliseconds(200))
        await waits.first.pass()
        waits.end.open()
        await isOver
        #expect(waits.limits == [.milliseconds(200)])
    }
}
