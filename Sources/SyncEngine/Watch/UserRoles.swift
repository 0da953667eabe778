import Synchronization

/// The names of the user's roles that the remote has answered with in this sync; nil before the answer.
final class UserRoles: Sendable {
    private let state = Mutex<Set<String>?>(nil)

    var names: Set<String>? { state.withLock { $0 } }

    func note(_ names: some Sequence<String>) { state.withLock { $0 = Set(names) } }
}
