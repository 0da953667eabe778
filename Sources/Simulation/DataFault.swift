import ParseModel
import Synchronization

/// A data fault of the server's data in a run, beside the faults of its network. Each kind of run keeps its own course: what is
/// drawn for it comes from streams of its own.
package enum DataFault: String, Sendable, CaseIterable {
    /// The server goes back to an earlier state of its file.
    case restoredBackup
    /// The server acknowledges creates and then has no such object: it was rolled back, or a trigger keeps it from everybody.
    case lostCreates
    /// Reads are answered by a copy that lags some seconds behind.
    case laggingLists

    /// The most that a copy lags behind: less than the engine waits until it believes that a request was not carried out.
    static let lagMaxMs: Int64 = 8000
    /// The share of acknowledged creates that get lost.
    static let lossShare = 0.15
}

/// What replicas have been shown, and must not lose without a word: each object that a server which has gone back is older
/// than, and each acknowledged create that it has lost.
struct WatchList: Sendable {
    struct Item: Sendable {
        let replica: String
        let className: String
        let objectId: String
        let title: String
        /// The values that users set, as the replica had them.
        let fields: [String: String]
        /// How often the object had changed on the server by then.
        let changes: Int
        /// How many entries the ledger had by then.
        let entries: Int
        /// It shows that the server went back, or is lost regardless of the rest.
        let isProof: Bool
    }

    private(set) var items: [Item] = []

    mutating func add(_ item: Item) { items.append(item) }

    /// A person at a replica has decided about objects.
    mutating func release(_ objectIds: Set<String>, at replica: String) {
        items.removeAll { $0.replica == replica && objectIds.contains($0.objectId) }
    }

    /// Later changes of these, by any party, have nothing to do with a restore.
    mutating func release(where isOver: (Item) -> Bool) { items.removeAll(where: isOver) }

    /// Without a remaining proof, a lost object cannot be told from a deleted one.
    mutating func releaseUnproven() {
        let proven = Set(items.filter(\.isProof).map(\.replica))
        items.removeAll { !proven.contains($0.replica) }
    }
}

/// The watch of a run, which its users' decisions end in part.
final class SharedWatchList: Sendable {
    let list = Mutex(WatchList())
}
