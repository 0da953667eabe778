import Synchronization

/// The observers of an event. They are called in the order in which they were added.
package final class Observers: Sendable {
    private let observers = Mutex<[@Sendable () -> Void]>([])

    package init() {}

    /// - Parameter observer: called from any thread. It must return at once.
    package func add(_ observer: @escaping @Sendable () -> Void) { observers.withLock { $0.append(observer) } }

    package func notify() {
        for observer in observers.withLock({ $0 }) { observer() }
    }
}
