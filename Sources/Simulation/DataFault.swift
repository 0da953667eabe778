import ParseModel
import Synchronization

/// A fault of the server's data, in addition to the faults of the network. Data faults draw from random streams of
/// their own, so they do not change the other random decisions of a seed.
package enum DataFault: String, Sendable, CaseIterable {
    /// The server is restored from an earlier backup of its file.
    case restoredBackup
    /// The server acknowledges creates and then lacks the objects, as after a rollback or behind a trigger that hides them.
    case lostCreates
    /// Reads are answered by a database replica that lags some seconds behind.
    case laggingLists

    /// The largest replica lag. It is below the grace period after which the engine believes that a request was lost.
    static let lagMaxMs: Int64 = 8000
    /// The share of acknowledged creates that the server loses.
    static let lossShare = 0.15
}

/// Objects that a replica has pulled and must not drop silently: objects that a restored server has in an older
/// state, and acknowledged creates that the server has lost.
struct WatchList: Sendable {
    struct Item: Sendable {
        let replica: String
        let className: String
        let objectId: String
        let title: String
        /// The values of the fields that users set, as the replica had them.
        let fields: [String: String]
        /// The number of changes of the object on the server at that time.
        let changes: Int
        /// The number of ledger entries at that time.
        let entries: Int
        /// Whether this object alone proves that the server was restored or has lost a create.
        let isProof: Bool
    }

    private(set) var items: [Item] = []

    mutating func add(_ item: Item) { items.append(item) }

    /// Removes objects that a user at the replica has made a decision about.
    mutating func release(_ objectIds: Set<String>, at replica: String) {
        items.removeAll { $0.replica == replica && objectIds.contains($0.objectId) }
    }

    /// Removes objects that any party has changed since: a restore no longer explains their state.
    mutating func release(where isOver: (Item) -> Bool) { items.removeAll(where: isOver) }

    /// Removes the objects of each replica without a proof. Without one, a lost object looks like a deleted object.
    mutating func releaseUnproven() {
        let proven = Set(items.filter(\.isProof).map(\.replica))
        items.removeAll { !proven.contains($0.replica) }
    }
}

/// The watch list of a run, shared by the world and the users' decisions.
final class SharedWatchList: Sendable {
    let list = Mutex(WatchList())
}
