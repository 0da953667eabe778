import ParseModel
import Synchronization

/// A clock whose waits end when the test advances it.
final class WakingClock: Sendable {
    private struct Wait {
        let id: Int
        let end: Duration
        let continuation: AsyncStream<Void>.Continuation
    }

    /// The clock that this one advances.
    let clock: TestClock
    private let waits = Mutex<(last: Int, open: [Wait])>((0, []))

    init(_ clock: TestClock) { self.clock = clock }

    var environment: Environment {
        var environment = clock.environment
        environment.sleep = { try await self.sleep($0) }
        return environment
    }

    /// The rest of each wait, the shortest first.
    var rests: [Duration] {
        let now = clock.environment.uptime()
        return waits.withLock { $0.open.map { $0.end - now } }.sorted()
    }

    func advance(_ span: Duration) {
        clock.advance(span)
        let now = clock.environment.uptime()
        let due = waits.withLock { waits in
            let due = waits.open.filter { $0.end <= now }
            waits.open.removeAll { $0.end <= now }
            return due
        }
        for wait in due { wait.continuation.yield() }
    }

    private func sleep(_ span: Duration) async throws {
        let (ends, continuation) = AsyncStream<Void>.makeStream()
        let end = clock.environment.uptime() + span
        let id = waits.withLock { waits in
            waits.last += 1
            waits.open.append(Wait(id: waits.last, end: end, continuation: continuation))
            return waits.last
        }
        for await _ in ends { return }
        waits.withLock { $0.open.removeAll { $0.id == id } }
        throw CancellationError()
    }
}
