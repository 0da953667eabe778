import Synchronization

/// What the rows of this sync have shown about older states: whether the remote is a restored backup, and which acknowledged
/// edits it did not show.
final class OlderRowFindings: Sendable {
    private struct State {
        var isRestored = false
        var unseen: [String: Set<String>] = [:]
    }

    private let state = Mutex(State())

    /// The remote seems to be restored from an older backup, and no person has decided yet.
    var isRestored: Bool { state.withLock { $0.isRestored } }

    func noteRestored() { state.withLock { $0.isRestored = true } }

    /// Objects for which a row of this sync was older than their acknowledged edit.
    func unseen(of className: String) -> Set<String> { state.withLock { $0.unseen[className] ?? [] } }

    var classesWithUnseen: Set<String> { state.withLock { Set($0.unseen.keys) } }

    func noteUnseen(_ objectIds: [String], of className: String) {
        guard !objectIds.isEmpty else { return }
        state.withLock { $0.unseen[className, default: []].formUnion(objectIds) }
    }
}
