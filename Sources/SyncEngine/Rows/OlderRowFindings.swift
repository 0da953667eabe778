import Synchronization

/// The findings of one sync about remote rows that are older than their bases: whether the remote is a restored backup, and which
/// acknowledged edits the remote did not show.
final class OlderRowFindings: Sendable {
    private struct State {
        var isRestored = false
        var unseen: [String: Set<String>] = [:]
    }

    private let state = Mutex(State())

    /// Whether the remote seems to be a restored backup. True if this sync has found a sign. Also true if an earlier sync found a
    /// sign, until the user has decided and all objects were compared.
    var isRestored: Bool { state.withLock { $0.isRestored } }

    func noteRestored() { state.withLock { $0.isRestored = true } }

    /// The ids of objects whose row in this sync was older than their acknowledged edit.
    func unseen(of className: String) -> Set<String> { state.withLock { $0.unseen[className] ?? [] } }

    var classesWithUnseen: Set<String> { state.withLock { Set($0.unseen.keys) } }

    func noteUnseen(_ objectIds: [String], of className: String) {
        guard !objectIds.isEmpty else { return }
        state.withLock { $0.unseen[className, default: []].formUnion(objectIds) }
    }
}
