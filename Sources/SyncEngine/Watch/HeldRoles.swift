import Synchronization

/// The names of the roles that the user of a sync has, as the remote shows them in this sync; empty if it shows none.
final class HeldRoles: Sendable {
    private let state = Mutex<Set<String>>([])

    var names: Set<String> { state.withLock { $0 } }

    func note(_ names: some Sequence<String>) { state.withLock { $0 = Set(names) } }
}
