import Synchronization

/// The findings of one sync about outdated rows: whether the remote seems to be a restored backup, and which objects
/// had a row that is older than their acknowledged edit.
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

    /// The ids of objects of the class whose row in this sync lacked an acknowledged edit and was therefore not applied.
    func unseen(of className: String) -> Set<String> { state.withLock { $0.unseen[className] ?? [] } }

    var classesWithUnseen: Set<String> { state.withLock { Set($0.unseen.keys) } }

    func noteUnseen(_ objectIds: [String], of className: String) {
        guard !objectIds.isEmpty else { return }
        state.withLock { $0.unseen[className, default: []].formUnion(objectIds) }
    }
}
