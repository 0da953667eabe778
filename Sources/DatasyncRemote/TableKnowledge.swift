import RemoteHTTP
import Synchronization

/// The facts about a tables server that its answers have shown: its dialect of the protocol, its tables, and which of
/// them keep tombstones.
final class TableKnowledge: Sendable {
    private struct State {
        var dialect: TableDialect?
        var description = TablesDescription()
        var tombstones: Set<String> = []
        var searched: Set<String> = []
        var tokens: [String] = []
    }

    private let state: Mutex<State>
    /// The dialect that an earlier process detected; nil for none.
    private let recordedDialect: TableDialect?

    init(dialect: TableDialect?, recordedDialect: TableDialect?) {
        state = Mutex(State(dialect: dialect))
        self.recordedDialect = recordedDialect
    }

    /// The dialect that the server is expected to speak. Used for decisions before its first answer.
    var expectedDialect: TableDialect? { dialect ?? recordedDialect }

    /// The dialect of the server; nil before an answer has shown it.
    var dialect: TableDialect? { state.withLock { $0.dialect } }

    /// The server's description of its tables; empty before the dialect is known, and for a server without a description.
    var description: TablesDescription { state.withLock { $0.description } }

    func note(_ dialect: TableDialect) { state.withLock { $0.dialect = dialect } }

    func note(_ description: TablesDescription) { state.withLock { $0.description = description } }

    /// Whether deletions in the table leave tombstones. False until an answer has shown a tombstone. Until then,
    /// deletions are found by comparing the local objects with the remote ones, which works for every table.
    func keepsTombstones(_ className: String) -> Bool { state.withLock { $0.tombstones.contains(className) } }

    func noteTombstone(_ className: String) { state.withLock { _ = $0.tombstones.insert(className) } }

    /// The user's present token and the one before it. No message may contain them.
    var tokens: [String] { state.withLock { $0.tokens } }

    func note(token: String) {
        state.withLock { state in
            guard state.tokens.last != token, token.utf8.count >= MessageCleaner.secretBytesMin else { return }
            state.tokens = state.tokens.suffix(1) + [token]
        }
    }

    /// Whether the table must still be searched for a tombstone. True once for each class, and again after the search failed.
    func beginSearch(_ className: String) -> Bool {
        state.withLock { !$0.tombstones.contains(className) && $0.searched.insert(className).inserted }
    }

    func searchFailed(_ className: String) { state.withLock { _ = $0.searched.remove(className) } }
}
