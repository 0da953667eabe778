import GRDB
import StoreService
import Synchronization

/// Caches recently read objects. A read of a cached object by id runs no SQL statement, which saves a third of the time
/// of the read.
///
/// An entry is valid until the commit that changes the object. A transaction that is not a local client's write can change many
/// objects by one statement, so its commit removes all entries.
///
/// Cached objects contain all fields: the reader applies the rights of the principal.
///
/// The type is `Sendable` because its properties without a lock are used on the writer's queue alone.
final class ObjectCache: TransactionObserver, @unchecked Sendable {
    /// An object and the value of its column `acl`.
    typealias Entry = StoredObject.Row

    private struct Key: Hashable {
        let objectId: String
        let className: String
    }

    private struct State {
        /// The entries that were used after `recent` was last moved to `earlier`.
        var recent: [Key: Entry] = [:]
        /// The entries that were in `recent` when it was last replaced, and were not used since.
        var earlier: [Key: Entry] = [:]
        var recentBytes = 0
        /// Incremented when invalid entries are removed.
        var generation = 0
        /// Whether a commit is in progress that removes entries. A read may then see the file before or after the commit.
        var isCommitting = false
    }

    /// The entries to remove when the running transaction commits.
    private enum Removal {
        case entries(Set<Key>)
        case all
    }

    /// The maximum size of `recent`, and of `earlier`, in bytes.
    private let halfMax: Int
    private let state = Mutex(State())
    // Used only on the writer's queue.
    private var removal = Removal.entries([])

    /// - Parameter bytesMax: the maximum memory of the cache, in bytes.
    init(bytesMax: Int) { halfMax = bytesMax / 2 }

    /// An object by its present id.
    /// - Parameter read: reads the object in a snapshot that begins during the call.
    func entry(_ className: String, _ objectId: String, read: () throws -> Entry?) rethrows -> Entry? {
        let key = Key(objectId: objectId, className: className)
        let (known, generation, _) = state.withLock { state in
            let (entry, dropped) = use(key, in: &state)
            return (entry, state.generation, dropped)
        }
        if let known { return known }
        guard let entry = try read() else { return nil }
        _ = state.withLock { state in
            // A commit may have changed the object during the read.
            state.generation == generation && !state.isCommitting ? add(entry, for: key, to: &state) : [:]
        }
        return entry
    }

    /// Removes the entries that were not used since the previous call.
    func removeUnused() { _ = state.withLock { rotate(&$0) } }

    // The methods below return the entries that they drop, so that the caller can free them after it has released the
    // lock. There can be many.

    private func use(_ key: Key, in state: inout State) -> (Entry?, dropped: [Key: Entry]) {
        if let entry = state.recent[key] { return (entry, [:]) }
        guard let entry = state.earlier.removeValue(forKey: key) else { return (nil, [:]) }
        return (entry, add(entry, for: key, to: &state))
    }

    private func add(_ entry: Entry, for key: Key, to state: inout State) -> [Key: Entry] {
        let bytes = Self.bytes(of: entry)
        guard bytes <= halfMax / 16 else { return [:] }
        let dropped = state.recentBytes + bytes > halfMax ? rotate(&state) : [:]
        if let replaced = state.recent.updateValue(entry, forKey: key) { state.recentBytes -= Self.bytes(of: replaced) }
        state.recentBytes += bytes
        return dropped
    }

    /// The memory of an entry in bytes: the JSON, and an estimate for the id and the slot in the dictionary.
    private static func bytes(of entry: Entry) -> Int { entry.object.json.count + 350 }

    private func rotate(_ state: inout State) -> [Key: Entry] {
        let dropped = state.earlier
        (state.earlier, state.recent, state.recentBytes) = (state.recent, [:], 0)
        return dropped
    }

    // MARK: Changes

    /// Marks an object for removal from the cache when the running transaction commits. Called on the writer's queue.
    func removeAtCommit(_ className: String, _ objectId: String) {
        guard case .entries(var keys) = removal else { return }
        removal = .entries([])
        keys.insert(Key(objectId: objectId, className: className))
        removal = .entries(keys)
    }

    /// Marks all objects for removal from the cache when the running transaction commits. Called on the writer's queue.
    func removeAllAtCommit() { removal = .all }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}

    /// Removes the entries before the commit. Otherwise a client could read the new state from the file, and then the old state
    /// from the cache.
    func databaseWillCommit() {
        if case .entries(let keys) = removal, keys.isEmpty { return }
        _ = state.withLock { state -> (recent: [Key: Entry], earlier: [Key: Entry]) in
            state.generation += 1
            state.isCommitting = true
            guard case .entries(let keys) = removal else {
                defer { (state.recent, state.earlier, state.recentBytes) = ([:], [:], 0) }
                return (state.recent, state.earlier)
            }
            for key in keys {
                if let entry = state.recent.removeValue(forKey: key) { state.recentBytes -= Self.bytes(of: entry) }
                state.earlier.removeValue(forKey: key)
            }
            return ([:], [:])
        }
    }

    func databaseDidCommit(_ db: Database) { endTransaction() }
    func databaseDidRollback(_ db: Database) { endTransaction() }

    private func endTransaction() {
        removal = .entries([])
        state.withLock { state in
            guard state.isCommitting else { return }
            state.generation += 1
            state.isCommitting = false
        }
    }
}
