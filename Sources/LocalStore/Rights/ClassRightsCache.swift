import GRDB
import ParseModel
import Synchronization

/// Caches the rights that the permissions of classes give, as of the last commit. A transaction that may change
/// permissions empties the cache when it commits, before its caller gets the result.
///
/// The type is `Sendable` because its only property without a lock is used on the writer's queue alone.
final class ClassRightsCache: TransactionObserver, @unchecked Sendable {
    private struct State {
        var rights: [String: ClassRights] = [:]
        /// Incremented when the cache is emptied.
        var generation = 0
    }

    /// The maximum number of cached classes, because clients can name any class. A full cache is emptied.
    private static let countMax = 2000

    /// Whether the store enforces the permissions of classes. If not, permissions are ignored for every class.
    private let isEnforced: Bool
    private let state = Mutex(State())
    // Whether the present transaction may have changed permissions. Used only on the writer's queue.
    private var isAbandoned = false

    init(isEnforced: Bool) { self.isEnforced = isEnforced }

    /// The rights of a class for a read.
    /// - Parameter read: reads the stored rights in a snapshot that begins during the call. An earlier snapshot could be older
    ///   than the last change of the permissions.
    func rights(of className: String, read: () throws -> ClassRights) rethrows -> ClassRights {
        let (known, generation) = state.withLock { ($0.rights[className], $0.generation) }
        if let known { return known }
        let rights = isEnforced ? try read() : ClassRights(className)
        state.withLock { state in
            // A transaction may have changed the permissions during the read. The result is then not cached.
            guard state.generation == generation else { return }
            if state.rights.count >= Self.countMax { state.rights = [:] }
            state.rights[className] = rights
        }
        return rights
    }

    /// The rights of a class in the present transaction. Called on the writer's queue.
    /// - Parameter table: reads the permissions in this transaction.
    func rights(of className: String, from table: PermissionTable) throws -> ClassRights {
        guard isAbandoned, isEnforced else {
            return try rights(of: className) { try table.rights(of: className) }
        }
        return try table.rights(of: className)
    }

    /// Makes the commit of the present transaction empty the cache. Called on the writer's queue, before a change of permissions.
    func forgetAtCommit() { isAbandoned = true }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidRollback(_ db: Database) { isAbandoned = false }

    func databaseDidCommit(_ db: Database) {
        guard isAbandoned else { return }
        isAbandoned = false
        state.withLock { state in
            state.generation += 1
            state.rights = [:]
        }
    }
}
