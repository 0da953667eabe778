import ParseModel
import SyncModel

/// The complete store of a gateway: its objects, decisions, classes, files, users and sync state.
package protocol GatewayStore: AnyObject, Sendable {
    /// The id of this gateway, unique among all gateways that sync with the same remote.
    var replicaId: String { get }

    /// The objects, as the local API reads and writes them.
    var objects: any ObjectStore { get }

    /// The changes of clients that go to the remote at once or nowhere.
    var onceWrites: any OnceWriteStore { get }

    /// The pending changes, and the users' decisions about rejected changes, conflicts and held removals (removals that
    /// wait for a decision).
    var decisions: any DecisionStore { get }

    /// The classes that the gateway syncs, with their options.
    var classes: any ClassRegistry { get }

    /// The locally stored contents of the remote's files.
    var fileCache: any FileCache { get }

    /// The upkeep of the store.
    var maintenance: any StoreMaintenance { get }

    /// The store for the sync engine of one author: the gateway or one user, as whom the engine acts at the remote.
    func sync(as author: AuthorKey) -> any SyncStore

    /// The users and sessions. Only a standalone gateway uses them.
    var accounts: any AccountStore { get }

    /// The users who have signed in to a replica, with their sessions. Only the gateway's own store has them, and not
    /// the separate stores of single users.
    var people: any PeopleStore { get }

    /// The contents of the remote's files that a gateway stores once for all its users.
    var sharedFiles: any SharedFileStore { get }

    /// Copies the synced classes of the gateway. Used only in the store of a single user.
    var classFollower: any ClassFollower { get }

    /// Counts objects, pending changes and open decisions, for the sync status and the metrics.
    /// - Parameter principal: in a site replica (a replica for several users), only the changes and decisions that this
    ///   principal may list are counted. Objects are always all counted.
    func figures(as principal: Principal) async throws -> SyncFigures

    /// All local changes, open conflicts, held removals and files that the remote does not have. The lists have no
    /// maximum length.
    func waitingWork() async throws -> WaitingWork
}

extension GatewayStore {
    /// Counts all objects, changes and decisions.
    package func figures() async throws -> SyncFigures { try await figures(as: .master) }
}

/// A kind of store, such as a SQLite file: opens stores, and checks their files.
package protocol StoreKind: Sendable {
    /// Opens the store in a data directory, or creates it.
    /// - Throws: `StoreError`. The store is not changed if it has a newer version, is in use or belongs to another remote.
    func open(_ settings: StoreSettings, environment: Environment) throws -> any GatewayStore

    /// Checks the store in a data directory for damage. A running gateway may be using the directory.
    /// - Throws: `StoreError` if the store cannot be read.
    func checkFile(in directory: String) async throws -> FileFindings

    /// Reads the rights that a standalone gateway enforces on the store in a data directory. A running gateway may be using the
    /// directory.
    /// - Returns: nil if the directory has no store, or the store of a replica.
    /// - Throws: `StoreError` if the store cannot be read.
    func effectiveRights(in directory: String) throws -> EffectiveRights?

    /// Reads which users of a standalone gateway have no password, and which names several users share. A running
    /// gateway may be using the directory.
    /// - Returns: nil if the directory has no store, or the store of a replica.
    /// - Throws: `StoreError` if the store cannot be read.
    func accountFindings(in directory: String) throws -> AccountFindings?

    /// Finds texts in a replica's objects that are ids which the remote has replaced by other ids. Does not open the
    /// store.
    /// - Returns: nil if no replica has used the directory.
    /// - Throws: `StoreError` if the file is unreadable.
    func replacedIds(in directory: String) throws -> ReplacedIds?

    /// Whether a process has opened the store in a data directory. For a moment, the question itself keeps others from opening it.
    func isInUse(_ directory: String) -> Bool

    /// Reads what the store in a data directory knows about its remote. A running gateway may be using the directory.
    /// - Returns: nil if the directory has no store, or the store of a standalone gateway.
    /// - Throws: `StoreError` if the store cannot be read.
    func remoteOutline(in directory: String) throws -> RemoteOutline?

    /// Whether a replica's store has pending changes, rejections, conflicts or held removals. A running gateway may be
    /// using the directory.
    /// - Returns: false if the directory has no store.
    /// - Throws: `StoreError` if the store cannot be read.
    func hasWaitingWork(in directory: String) throws -> Bool

    /// Counts objects, pending changes and open decisions of the store in a data directory. A running gateway may be using the
    /// directory.
    /// - Returns: nil if the directory has no store, or the store of a standalone gateway.
    /// - Throws: `StoreError` if the store cannot be read.
    func figures(in directory: String) throws -> SyncFigures?

    /// Copies the store in a data directory, with its contents of files. A running gateway may be using the directory.
    /// The copy has the state of one moment. The store that opens it treats it as a restored backup.
    /// - Parameters:
    ///   - target: an empty directory.
    ///   - shared: the data directory of another store, which has contents for this one; nil for none.
    ///   - time: the time of the backup.
    ///   - meter: measures the work; nil if its progress is not shown.
    /// - Throws: `StoreError` if the store cannot be read, or the copy fails its check.
    func copy(
        directory: String, to target: String, sharing shared: String?, at time: ParseDate, _ meter: WorkMeter?
    ) throws -> StoreCopy

    /// Checks the store in a data directory completely: the structure of the file, the objects, the rules between
    /// tables, and the contents of files with their SHA-256. A running gateway may be using the directory.
    /// - Parameters:
    ///   - shared: the data directory of another store, which has contents for this one; nil for none.
    ///   - meter: measures the work; nil if its progress is not shown.
    /// - Throws: `StoreError` if the store cannot be read.
    func check(directory: String, sharing shared: String?, _ meter: WorkMeter?) async throws -> StoreFindings

    /// Notes in a copy that the original has not run since the copy was made, and never runs again. The store that opens
    /// the copy then continues in its place.
    func keepIdentity(directory: String) throws

    /// Rewrites the store in a data directory without unused space, in one transaction.
    /// - Parameter meter: measures the work; nil if its progress is not shown.
    /// - Throws: `StoreError.directoryInUse` if a gateway is using the directory.
    func compact(directory: String, _ meter: WorkMeter?) throws
}

/// The facts about its remote that a store has recorded.
package struct RemoteOutline: Sendable, Hashable {
    package let remote: StoreIdentity.Remote
    /// The mappings of the registered classes: for each class its remote table, and the types of the table's values.
    package let mappings: [String: ClassMapping]
    /// The setting `people` at the last start; nil if it was never noted.
    package let people: String?
    /// Whether a sync has succeeded.
    package let hasSynced: Bool
    /// Whether the replica has ever been a site: a replica for several users, which enforces their rights. It may then
    /// have objects that only some users may read.
    package let wasSite: Bool
    /// The number of users of a site replica with changes that are not on the remote yet.
    package let waitingAuthors: Int
    /// The limits that the remote has named, as JSON; nil if it has named none.
    package let limits: String?

    package init(
        remote: StoreIdentity.Remote, mappings: [String: ClassMapping], people: String? = nil, hasSynced: Bool = false,
        wasSite: Bool = false, waitingAuthors: Int = 0, limits: String? = nil
    ) {
        self.limits = limits
        self.hasSynced = hasSynced
        (self.people, self.wasSite, self.waitingAuthors) = (people, wasSite, waitingAuthors)
        self.remote = remote
        self.mappings = mappings
    }
}

/// The settings of a store.
package struct StoreSettings: Sendable {
    package enum Synchronous: String, Sendable { case full, normal }

    /// Decides who checks the rights of clients, and whether each change has an author.
    package enum Rights: Sendable {
        /// The remote checks the rights when it gets a change. Clients of the store can read all objects. Changes have
        /// no authors.
        case byRemote
        /// The store enforces ACLs and the permissions of classes. Changes have no authors.
        case here
        /// The store of a site replica, which serves several users. It enforces their rights, and keeps the author of
        /// each change. A class that the remote has not described yet gives no permission to users.
        case site
        /// The store of a replica that was a site earlier, but no longer serves users. Some of its objects may be
        /// readable only by some users, so it enforces rights. Unsent changes of the earlier users stay until the
        /// directory is a site's again.
        case formerSite
    }

    package var directory: String
    package var identity: StoreIdentity
    /// `full`: a power failure loses no acknowledged write. `normal`: a power failure may lose the latest writes.
    package var synchronous: Synchronous = .full
    /// Whether clients may choose the objectId of a new object. Even if true, a replica refuses chosen ids if its remote is known
    /// to refuse them, as a stock Parse Server does.
    package var allowsChosenIds = false
    /// The action on other installations with the same device token when an installation is written.
    package var duplicateDeviceToken = DuplicateDeviceToken.delete
    /// The maximum number of fields of a class, enforced for local writes. Pulled rows may exceed it.
    package var classFieldsMax = 1000
    /// Checks whether the remote can store a value. Local writes of other values are refused. Nil for a standalone
    /// store, and for a remote that stores every value.
    package var valueRules: (any RemoteValueRules)?
    /// Called after a local write is on disk.
    package var onLocalWrite: @Sendable () -> Void = {}
    /// Called from any thread when a read has found new damage. `findings` contains only the new damage.
    package var onDamage: @Sendable (_ findings: FileFindings) -> Void = { _ in }
    /// Called from any thread when queries without an index have taken so much time that an index should be created at
    /// once, by `tendIndexes`.
    package var onIndexDue: @Sendable () -> Void = {}
    /// The data directory of the gateway's own store, for the store of a single user: contents of its files can also be
    /// there. Nil for a store that has all contents itself.
    package var sharedDirectory: String?
    /// Whether files of the remote are kept even if no object of this store refers to them, because the stores of
    /// single users do. Their contents can still be evicted.
    package var keepsRemoteFiles = false
    /// Whether to use the data directory even if it is a copy of another gateway's directory.
    package var takesOver = false
    /// Decides who checks the rights of clients.
    package var rights: Rights
    /// Whether the sync engine reads the remote with the master key, so that ACLs hide no object from it.
    package var seesEverything = false
    /// The user whose sessions the sync engine uses to read the remote; nil if the store does not belong to a single
    /// user.
    package var reader: String?
    package init(directory: String, identity: StoreIdentity) {
        self.directory = directory
        self.identity = identity
        rights = identity.remote == nil ? .here : .byRemote
    }
}

/// The remote to which a store belongs, for the whole life of the store.
package struct StoreIdentity: Sendable, Hashable {
    /// The remote; nil for a standalone store.
    package let remote: Remote?

    package struct Remote: Sendable, Hashable {
        /// The kind of remote, by its name in the settings: `parse`.
        package let kind: String
        package let url: String
        /// The application id; nil for a kind of remote without application ids.
        package let applicationId: String?
        /// The user to whom the gateway's token for the remote belongs: the `sub` claim of a JSON Web Token. Nil
        /// without a token, and for a token that cannot be read.
        package let subject: String?

        /// The kind of remote assumed for store files of earlier versions, which do not name the kind.
        package static let kindOfEarlierFiles = "parse"

        package init(kind: String = kindOfEarlierFiles, url: String, applicationId: String?, subject: String? = nil) {
            self.subject = subject
            self.kind = kind
            self.url = url
            self.applicationId = applicationId
        }

        /// Whether both values can mean the same remote. A nil `subject` agrees with every other.
        package func agrees(with other: Remote) -> Bool {
            (kind, url, applicationId) == (other.kind, other.url, other.applicationId)
                && (subject == nil || other.subject == nil || subject == other.subject)
        }

        /// The URL and application id of this remote, for a message that also names `other`. Contains kind and user
        /// only if they differ from those of `other`.
        package func description(beside other: Remote) -> String {
            let facts = [
                kind == other.kind ? nil : "kind \(kind)", applicationId.map { "application id \($0)" },
                subject == other.subject ? nil : subject.map { "user \($0)" },
            ].compactMap { $0 }
            return facts.isEmpty ? url : "\(url) (\(facts.joined(separator: ", ")))"
        }
    }

    package init(remote: Remote?) { self.remote = remote }
}
