import Synchronization

/// A point at which requests wait until a test calls `open`.
final class Gate: Sendable {
    private let free: Mutex<Int>
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let opening: AsyncStream<Void>
    private let opener: AsyncStream<Void>.Continuation

    /// - Parameter count: the number of requests that pass without waiting.
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

    /// Returns as soon as a request waits at this gate.
    func untilReached() async { for await _ in arrivals { return } }

    /// Lets the waiting requests and all later ones pass.
    func open() { opener.finish() }
}
