import Synchronization

/// A clock that advances by a fixed step with each reading.
final class TestClock: Sendable {
    private let microseconds: Atomic<Int64>
    private let step: Int64

    /// - Parameter step: microseconds.
    init(step: Int64 = 1_000_000) {
        microseconds = Atomic(1_700_000_000_000_000)
        self.step = step
    }

    func next() -> Int64 { microseconds.add(step, ordering: .relaxed).newValue }
}
