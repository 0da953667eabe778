import GRDB
import StoreService
import Synchronization

/// Tags of recently read objects. Computing a tag takes 9 of the 21 µs of a read by id.
///
/// A tag depends on the object's view. So an entry also contains the view, and holds for this view alone. In a replica, a tag
/// also depends on aliases, earlier names of files, and class options. So all entries become invalid at the commit of any
/// transaction other than a local client's write.
///
/// The type is `Sendable` because its only unguarded property is used on the writer's queue alone.
final class TagCache: TransactionObserver, @unchecked Sendable {
    private struct Key: Hashable {
        let className: String
        let objectId: String
        /// Fields that the principal may not read.
        let hidden: [String]
    }

    private struct Entry {
        let view: [UInt8]
        let tag: String
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        /// Incremented when all entries become invalid.
        var generation = 0
    }

    /// The maximum total size of the cached views in bytes. All entries are dropped before the size would exceed it.
    private let bytesMax: Int
    private let state = Mutex(State())
    // Whether the present transaction invalidates all entries at its commit. Used only on the writer's queue.
    private var isAbandoned = false

    init(bytesMax: Int = 2 << 20) { self.bytesMax = bytesMax }

    /// The cached tag of an object's view, computed by `make` on a miss.
    func tag(
        _ className: String, _ object: StoredObject, hiding hidden: [String], make: () throws -> String
    ) rethrows -> String {
        let key = Key(className: className, objectId: object.objectId, hidden: hidden)
        let (known, generation) = state.withLock { ($0.entries[key], $0.generation) }
        if let known, known.view == object.json { return known.tag }
        let tag = try make()
        guard object.json.count <= bytesMax / 16 else { return tag }
        state.withLock { state in
            // During the computation, a transaction may have changed options or names. The tag is then not cached.
            guard state.generation == generation else { return }
            if state.bytes + object.json.count > bytesMax { (state.entries, state.bytes) = ([:], 0) }
            state.bytes += object.json.count - (state.entries[key]?.view.count ?? 0)
            state.entries[key] = Entry(view: object.json, tag: tag)
        }
        return tag
    }

    /// Makes the commit of the present transaction invalidate all entries. Called on the writer's queue.
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
            (state.entries, state.bytes) = ([:], 0)
        }
    }
}
