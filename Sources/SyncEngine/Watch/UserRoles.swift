import Synchronization

/// The names of the user's roles, as the remote shows them in this sync; nil until it has answered.
final class UserRoles: Sendable {
    private let state = Mutex<Set<String>?>(nil)

    var names: Set<String>? { state.withLock { $0 } }

    func note(_ names: some Sequence<String>) { state.withLock { $0 = Set(names) } }
}
