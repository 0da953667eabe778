import Synchronization

/// Where requests wait until a test lets them pass.
final class Gate: Sendable {
    private let free: Mutex<Int>
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let opening: AsyncStream<Void>
    private let opener: AsyncStream<Void>.Continuation

    /// - Parameter count: how many need not wait.
    init(passing count: Int) {
        free = Mutex(count)
        (arrivals, arrival) = AsyncStream.makeStream()
        (opening, opener) = AsyncStream.makeStream()
    }

    func pass() async {
        let isFree = free.withLock { free in
            defer { free -= 1 }
            return free > 0
        }
        if isFree { return }
        arrival.yield()
        for await _ in opening {}
    }

    /// Returns when somebody waits here.
    func untilReached() async { for await _ in arrivals { return } }

    /// Lets everybody pass, now and later.
    func open() { opener.finish() }
}
