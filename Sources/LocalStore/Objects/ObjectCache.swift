import GRDB
import StoreService
import Synchronization

/// Recently read objects with their tags. A read of a cached object by its id executes no statement: the statement and the tag took
/// half of the time of such a read.
///
/// An entry holds until the commit that changes the object. A tag in a replica also depends on aliases, earlier names of files and
/// class options, so the commit of any transaction other than a local client's write removes all entries.
///
/// A cached object has not been filtered by the rights of a principal.
///
/// The type is `Sendable` because its unguarded properties are used on the writer's queue alone.
final class ObjectCache: TransactionObserver, @unchecked Sendable {
    struct Entry {
        let object: StoredObject
        /// The value of the column `acl`.
        let acl: Int64
        /// The tag of the object with all of its fields; nil if it has not been computed yet.
        fileprivate(set) var tag: String?

        init(object: StoredObject, acl: Int64) { (self.object, self.acl) = (object, acl) }

        /// The memory of the entry in bytes: the JSON, and an estimate for the rest.
        fileprivate var bytes: Int { object.json.count + 250 }
    }

    private struct Key: Hashable {
        let objectId: String
        let className: String
    }

    private struct State {
        /// The entries that were used since `earlier` was last replaced.
        var recent: [Key: Entry] = [:]
        /// The entries that were used before that.
        var earlier: [Key: Entry] = [:]
        var recentBytes = 0
        /// Incremented when entries are removed because they no longer hold.
        var generation = 0
        /// Whether a commit is in progress that removes entries. A read may then see the file before or after the commit.
        var isCommitting = false
    }

    /// What the present transaction removes.
    private enum Removal {
        case entries(Set<Key>)
        case all
    }

    /// The maximum size of `recent`, and of `earlier`, in bytes.
    private let halfMax: Int
    private let state = Mutex(State())
    // Used only on the writer's queue.
    private var removal = Removal.entries([])

    /// - Parameter bytesMax: the maximum memory of the cache.
    init(bytesMax: Int) { halfMax = bytesMax / 2 }

    /// An object by its present id.
    /// - Parameter read: reads the object in a snapshot that begins during the call.
    func entry(_ className: String, _ objectId: String, read: () throws -> Entry?) rethrows -> Entry? {
        let key = Key(objectId: objectId, className: className)
        let (known, generation) = state.withLock { state in (use(key, in: &state), state.generation) }
        if let known { return known }
        guard let entry = try read() else { return nil }
        state.withLock { state in
            // A commit may have changed the object during the read.
            guard state.generation == generation, !state.isCommitting else { return }
            add(entry, for: key, to: &state)
        }
        return entry
    }

    /// The tag of an object with all of its fields.
    func tag(_ className: String, _ object: StoredObject, make: () throws -> String) rethrows -> String {
        let key = Key(objectId: object.objectId, className: className)
        let (known, generation) = state.withLock { state -> (String?, Int) in
            guard let entry = use(key, in: &state), entry.object == object else { return (nil, state.generation) }
            return (entry.tag, state.generation)
        }
        if let known { return known }
        let tag = try make()
        state.withLock { state in
            guard state.generation == generation, !state.isCommitting, state.recent[key]?.object == object else {
                return
            }
            state.recent[key]?.tag = tag
        }
        return tag
    }

    /// Removes the entries that were not used since the previous call.
    func removeUnused() {
        state.withLock { rotate(&$0) }
    }

    private func use(_ key: Key, in state: inout State) -> Entry? {
        if let entry = state.recent[key] { return entry }
        guard let entry = state.earlier.removeValue(forKey: key) else { return nil }
        add(entry, for: key, to: &state)
        return entry
    }

    private func add(_ entry: Entry, for key: Key, to state: inout State) {
        guard entry.bytes <= halfMax / 16 else { return }
        if state.recentBytes + entry.bytes > halfMax { rotate(&state) }
        if let replaced = state.recent.updateValue(entry, forKey: key) { state.recentBytes -= replaced.bytes }
        state.recentBytes += entry.bytes
    }

    private func rotate(_ state: inout State) {
        (state.earlier, state.recent, state.recentBytes) = (state.recent, [:], 0)
    }

    // MARK: Changes

    /// Makes the commit of the present transaction remove an object. Called on the writer's queue.
    func removeAtCommit(_ className: String, _ objectId: String) {
        guard case .entries(var keys) = removal else { return }
        removal = .entries([])
        keys.insert(Key(objectId: objectId, className: className))
        removal = .entries(keys)
    }

    /// Makes the commit of the present transaction remove all objects. Called on the writer's queue.
    func removeAllAtCommit() { removal = .all }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}

    /// Removes the entries before the commit, so that no read sees the file after the commit and then an entry from before it.
    func databaseWillCommit() {
        if case .entries(let keys) = removal, keys.isEmpty { return }
        state.withLock { state in
            state.generation += 1
            state.isCommitting = true
            switch removal {
            case .entries(let keys):
                for key in keys {
                    if let entry = state.recent.removeValue(forKey: key) { state.recentBytes -= entry.bytes }
                    state.earlier.removeValue(forKey: key)
                }
            case .all: (state.recent, state.earlier, state.recentBytes) = ([:], [:], 0)
            }
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
