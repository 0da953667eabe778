import Synchronization

/// The observers of an event. They are called in the order in which they were added.
package final class Observers: Sendable {
    /// Identifies an observer, for its removal.
    package struct Number: Sendable, Hashable {
        fileprivate let value: Int
    }

    private struct Added {
        var observers: [(number: Number, call: @Sendable () -> Void)] = []
        var count = 0
    }

    private let added = Mutex(Added())

    package init() {}

    /// - Parameter observer: called from any thread. It must return at once.
    /// - Returns: identifies the observer, for its removal.
    @discardableResult
    package func add(_ observer: @escaping @Sendable () -> Void) -> Number {
        added.withLock { added in
            added.count += 1
            let number = Number(value: added.count)
            added.observers.append((number, observer))
            return number
        }
    }

    package func remove(_ number: Number) {
        added.withLock { added in added.observers.removeAll { $0.number == number } }
    }

    package func notify() {
        for observer in added.withLock({ $0.observers }) { observer.call() }
    }
}
