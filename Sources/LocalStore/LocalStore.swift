import GRDB
import ParseModel
import StoreService
import SyncModel

/// A store in an SQLite file, composed of the parts in `Parts`. Local clients read and write its objects. In a replica,
/// the sync engine exchanges the objects with the remote.
///
/// Most methods of the parts run one transaction. Types such as `FileTable` contain the SQL, and take a `Database` or a
/// `StoreTransaction`.
package final class LocalStore: GatewayStore {
    package let configuration: StoreConfiguration
    let transactions: Transactions
    let indexes: IndexKeeper
    let damaged: DamagedObjects

    package let objects: any ObjectStore
    package let onceWrites: any OnceWriteStore
    package let decisions: any DecisionStore
    package let classes: any ClassRegistry
    package let fileCache: any FileCache
    package let maintenance: any StoreMaintenance
    package let accounts: any AccountStore
    package let people: any PeopleStore
    package let sharedFiles: any SharedFileStore
    package let classFollower: any ClassFollower

    /// The id of this gateway, unique among all gateways of the same remote.
    package var replicaId: String { transactions.file.replicaId }

    /// Opens the file, or creates it.
    /// - Throws: `StoreError`. A file of a newer version, a file in use and a file of another program stay unchanged.
    package init(_ configuration: StoreConfiguration, environment: Environment) throws {
        _ = SQLiteMemory.isUncounted
        self.configuration = configuration
        let product = StoreProduct.of(configuration.identity)
        damaged = DamagedObjects(onFound: configuration.onDamage)
        indexes = IndexKeeper(configuration.indexing, began: environment.uptime(), onDue: configuration.onIndexDue)
        transactions = try Transactions(configuration, environment: environment, ways: product.ways)

        let reads = ObjectReads(
            transactions: transactions, damaged: damaged, indexes: indexes, holdsDeleted: product.holdsDeleted)
        let files = LocalFiles(transactions: transactions)
        let rows = configuration.rights == .site ? UserRows(transactions: transactions) : nil
        let people = LocalPeople(transactions: transactions, files: files, rows: rows)
        objects = LocalObjects(transactions, product, reads, files, people: rows == nil ? nil : people)
        onceWrites = LocalOnceWrites(transactions: transactions)
        decisions = LocalDecisions(transactions: transactions, reads: reads)
        classes = LocalClasses(transactions: transactions, reads: reads)
        fileCache = files
        maintenance = LocalMaintenance(
            transactions: transactions, damaged: damaged, indexes: indexes, repair: product.repair, files: files)
        accounts = LocalAccounts(transactions: transactions, objects: objects)
        self.people = people
        sharedFiles = LocalSharedFiles(transactions: transactions)
        classFollower = LocalClassFollower(transactions: transactions)
    }

    /// The store for the sync engine of one author: the gateway or one user, as whom the engine acts at the remote.
    package func sync(as author: AuthorKey) -> any SyncStore { LocalSyncStore(transactions, as: author) }

    package func figures(as principal: Principal) async throws -> SyncFigures {
        try await transactions.read { [authorship = transactions.authorship] in
            try StatusFigures(db: $0).all(of: authorship.lister(of: principal, in: $0))
        }
    }

    package func waitingWork() async throws -> WaitingWork {
        try await transactions.read { [contents = transactions.file.contents] in try WaitingWork(in: $0, contents) }
    }

    /// Checks the invariants of a replica's objects, which must hold after every commit.
    /// - Returns: a line for each violation; empty if there are none.
    package func invariantViolations() throws -> [String] {
        try transactions.read { try InvariantCheck(db: $0).violations() }
    }
}
