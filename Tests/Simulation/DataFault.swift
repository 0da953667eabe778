import ParseModel
import Synchronization

/// A fault in the data of the server or of a replica, in addition to the faults of the network. Data faults draw from separate random
/// streams, so that they do not change the other random numbers of a run.
package enum DataFault: String, Sendable, CaseIterable {
    /// The server is restored from an earlier backup of its file.
    case restoredBackup
    /// The server acknowledges creates and then lacks the objects, as after a rollback or with a trigger that hides them.
    case lostCreates
    /// For some seconds, an older copy of the server's file answers all reads.
    case laggingLists
    /// A replica is restored from an earlier backup of its directory. The backup may contain changes that the replica
    /// has sent since.
    case restoredReplica

    /// The longest time in milliseconds for which a lagging copy answers reads. It is shorter than the engine's grace
    /// period.
    static let lagMaxMs: Int64 = 8000
    /// The share of acknowledged creates that the server loses.
    static let lossShare = 0.15
}

/// The objects that a replica must not drop without a user's decision, although the server lacks them or has an older
/// state of them: after a restore from a backup, or after the loss of an acknowledged create.
struct WatchList: Sendable {
    struct Item: Sendable {
        let replica: String
        let className: String
        let objectId: String
        let title: String
        /// The replica's values of the fields `a` and `b` when the item was added; empty for a create that the server has lost.
        let fields: [String: String]
        /// The number of changes of the object on the server when the item was added. Includes a loss that the server
        /// is about to record.
        let changes: Int
        /// The number of writes in the ledger (the record of all users' writes) when the item was added.
        let entries: Int
        /// Whether this object alone proves to the replica that the server was restored or has lost a create.
        let isProof: Bool
    }

    private(set) var items: [Item] = []

    mutating func add(_ item: Item) { items.append(item) }

    /// Removes a replica's items about the given objects, because a user of the replica has decided about them.
    mutating func release(_ objectIds: Set<String>, at replica: String) {
        items.removeAll { $0.replica == replica && objectIds.contains($0.objectId) }
    }

    /// Removes the items for which `isOver` is true.
    /// - Parameter isOver: whether the item's object was changed, on the server or by a user, after the item was added. The
    ///   replica then no longer needs to keep the object as it was.
    mutating func release(where isOver: (Item) -> Bool) { items.removeAll(where: isOver) }

    /// Removes all items of the replicas without an item with `isProof`. Such a replica cannot distinguish a lost
    /// object from a deleted one.
    mutating func releaseUnproven() {
        let proven = Set(items.filter(\.isProof).map(\.replica))
        items.removeAll { !proven.contains($0.replica) }
    }
}

/// The objects that no replica may drop without a user's decision, shared by `World` and `Decisions`.
final class SharedWatchList: Sendable {
    let list = Mutex(WatchList())
}
