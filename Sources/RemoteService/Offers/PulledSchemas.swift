import ParseModel
import Synchronization

/// The schemas that a remote has read in the same requests as a pull. Readings are numbered in the order in which they began,
/// because they can end in another order.
package final class PulledSchemas: Sendable {
    package struct Reading: Sendable {
        package let number: Int
        package let schemas: [ClassSchema]
    }

    private struct State {
        var isWanted = true
        var begun = 0
        var latest: Reading?
    }

    private let state = Mutex(State())

    package init() {}

    /// Begins a reading.
    package func begin() -> Int {
        state.withLock { state in
            state.begun += 1
            return state.begun
        }
    }

    /// Begins a reading along with a pull, if the present sync has had none.
    package func beginIfWanted() -> Int? {
        guard state.withLock({ $0.isWanted }) else { return nil }
        return begin()
    }

    /// Keeps the result of a reading along with a pull.
    package func note(_ schemas: [ClassSchema], of number: Int) {
        state.withLock { state in
            state.isWanted = false
            guard state.latest.map({ $0.number < number }) ?? true else { return }
            state.latest = Reading(number: number, schemas: schemas)
        }
    }

    /// Lets the next pull read the schemas again. Called at the end of each sync.
    package func expectNext() { state.withLock { $0.isWanted = true } }

    /// The latest reading along with a pull that has not been taken; nil for none.
    package func take() -> Reading? {
        state.withLock { state in
            defer { state.latest = nil }
            return state.latest
        }
    }
}
