import GRDB
import ParseModel
import StoreService
import Synchronization

/// Caches recently used sessions with the roles of their users, so that most requests with a session run no SQL
/// statement to find it.
///
/// A transaction that changes a session or a user drops the cached sessions of this session or user when it commits. A
/// transaction that changes a role or its members, or removes all objects of such a class, drops all cached sessions
/// when it commits. Each such commit also increments a generation number. A reader with an older snapshot sees the new
/// number and does not add its result to the cache.
///
/// The type is `Sendable` because its only property without a lock is used on the writer's queue alone.
final class SessionCache: TransactionObserver, @unchecked Sendable {
    private struct State {
        var entries: [SessionDigest: OpenSession] = [:]
        /// The digest of each cached session, by the session's id.
        var bySession: [String: SessionDigest] = [:]
        /// The digests of a user's cached sessions, by the user's id.
        var byUser: [String: Set<SessionDigest>] = [:]
        var weight = 0
        var generation = 0

        mutating func add(_ session: OpenSession, _ digest: SessionDigest) {
            guard entries.updateValue(session, forKey: digest) == nil else { return }
            weight += 1 + session.user.roles.count
            bySession[session.user.sessionId] = digest
            byUser[session.user.objectId, default: []].insert(digest)
        }

        mutating func drop(_ digest: SessionDigest) {
            guard let session = entries.removeValue(forKey: digest) else { return }
            weight -= 1 + session.user.roles.count
            bySession[session.user.sessionId] = nil
            byUser[session.user.objectId]?.remove(digest)
            if byUser[session.user.objectId]?.isEmpty == true { byUser[session.user.objectId] = nil }
        }

        mutating func dropAll() { (entries, bySession, byUser, weight) = ([:], [:], [:], 0) }
    }

    /// The objects that the running transaction has changed.
    private struct Changes {
        var sessions: Set<String> = []
        var users: Set<String> = []
        /// Whether all entries may be invalid, because a role or a whole class has changed.
        var all = false

        var isEmpty: Bool { sessions.isEmpty && users.isEmpty && !all }
    }

    /// The maximum number of sessions and roles in the cache. A new entry that would exceed it first drops all entries.
    private let weightMax: Int
    private let state = Mutex(State())
    // Used only on the writer's queue.
    private var changes = Changes()

    init(weightMax: Int = 50_000) { self.weightMax = weightMax }

    /// The number of cached sessions.
    var count: Int { state.withLock { $0.entries.count } }

    /// The cached session with a digest. If there is none, calls `find`, and caches its result.
    /// - Parameter find: reads the session in one snapshot that begins during the call.
    func session(digest: SessionDigest, find: () throws -> OpenSession?) rethrows -> OpenSession? {
        let (known, generation) = state.withLock { ($0.entries[digest], $0.generation) }
        if let known { return known }
        guard let found = try find() else { return nil }
        let weight = 1 + found.user.roles.count
        state.withLock { state in
            guard state.generation == generation, weight <= weightMax / 16 else { return }
            if state.weight + weight > weightMax { state.dropAll() }
            state.add(found, digest)
        }
        return found
    }

    /// Records that the running transaction changes an object of a built-in class (user, session or role), so that its
    /// commit drops the affected entries. Called on the writer's queue.
    func note(_ className: String, _ objectId: String) {
        guard className.utf8.first == UInt8(ascii: "_") else { return }
        switch className {
        case "_Session": changes.sessions.insert(objectId)
        case "_User": changes.users.insert(objectId)
        case "_Role": changes.all = true
        default: break
        }
    }

    /// Records that the running transaction removes all objects of a class, so that its commit drops all entries if the
    /// class contains users, sessions or roles. Called on the writer's queue.
    func noteRemoval(of className: String) {
        if ["_Session", "_User", "_Role"].contains(className) { changes.all = true }
    }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ db: Database) { changes = Changes() }

    func databaseDidCommit(_ db: Database) { endTransaction() }

    /// Drops the entries that the committed transaction has made invalid.
    func endTransaction() {
        guard !changes.isEmpty else { return }
        let changes = changes
        self.changes = Changes()
        state.withLock { state in
            state.generation += 1
            if changes.all { return state.dropAll() }
            for session in changes.sessions { state.bySession[session].map { state.drop($0) } }
            for user in changes.users {
                for digest in state.byUser[user] ?? [] { state.drop(digest) }
            }
        }
    }
}
