import ParseModel
import Synchronization

/// The schemas that a remote has read in the same requests as a pull. Each reading has a number, in the order of their
/// beginnings, because readings can end in another order.
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

    /// Begins a reading of the schemas, and returns its number.
    package func begin() -> Int {
        state.withLock { state in
            state.begun += 1
            return state.begun
        }
    }

    /// Begins a reading together with a pull, and returns its number. Nil if this sync has already read the schemas.
    package func beginIfWanted() -> Int? {
        guard state.withLock({ $0.isWanted }) else { return nil }
        return begin()
    }

    /// Keeps the schemas that the reading with this number has found, unless a later reading has ended before.
    package func note(_ schemas: [ClassSchema], of number: Int) {
        state.withLock { state in
            state.isWanted = false
            guard state.latest.map({ $0.number < number }) ?? true else { return }
            state.latest = Reading(number: number, schemas: schemas)
        }
    }

    /// Lets the next pull read the schemas again. Called at the end of each sync.
    package func expectNext() { state.withLock { $0.isWanted = true } }

    /// Returns the latest result, and forgets it. Nil if there is none.
    package func take() -> Reading? {
        state.withLock { state in
            defer { state.latest = nil }
            return state.latest
        }
    }
}
