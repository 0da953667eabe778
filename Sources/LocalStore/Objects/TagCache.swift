import GRDB
import StoreService
import Synchronization

/// Tags of objects that were read lately. A tag takes longer to make than the rest of a read by id: 9 of 21 µs.
///
/// A tag depends on the object's view, and in a replica on the aliases and the class options too. An entry therefore holds
/// the view that it was made of, and counts until the next transaction that is more than local clients' writes of objects.
final class TagCache: TransactionObserver, @unchecked Sendable {
    private struct Key: Hashable {
        let className: String
        let objectId: String
        /// Fields that the reader may not see.
        let hidden: [String]
    }

    private struct Entry {
        let view: [UInt8]
        let tag: String
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
        /// How often all entries have ceased to count.
        var generation = 0
    }

    /// Of views. At most so many bytes are kept, then all entries go.
    private let bytesMax: Int
    private let state = Mutex(State())
    // Used on the writer's queue only.
    private var isAbandoned = false

    init(bytesMax: Int = 2 << 20) { self.bytesMax = bytesMax }

    /// The tag of a view, made where it is not known.
    func tag(
        _ className: String, _ object: StoredObject, hiding hidden: [String], make: () throws -> String
    ) rethrows -> String {
        let key = Key(className: className, objectId: object.objectId, hidden: hidden)
        let (known, generation) = state.withLock { ($0.entries[key], $0.generation) }
        if let known, known.view == object.json { return known.tag }
        let tag = try make()
        guard object.json.count <= bytesMax / 16 else { return tag }
        state.withLock { state in
            // A transaction since then may have changed the options or names that the tag depends on.
            guard state.generation == generation else { return }
            if state.bytes + object.json.count > bytesMax { (state.entries, state.bytes) = ([:], 0) }
            state.bytes += object.json.count - (state.entries[key]?.view.count ?? 0)
            state.entries[key] = Entry(view: object.json, tag: tag)
        }
        return tag
    }

    /// No entry counts once the transaction that is under way is committed. To be called on the writer's queue.
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
