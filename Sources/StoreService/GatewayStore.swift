import ParseModel
import SyncModel

/// The complete store of a gateway, by its parts.
package protocol GatewayStore: AnyObject, Sendable {
    /// The unique id of this gateway among all replicas of its remote.
    var replicaId: String { get }

    /// The objects, as the local API reads and writes them.
    var objects: any ObjectStore { get }

    /// The pending changes, and the decisions about rejections, conflicts and held removals.
    var decisions: any DecisionStore { get }

    /// The classes under sync.
    var classes: any ClassRegistry { get }

    /// The contents of the remote's files.
    var fileCache: any FileCache { get }

    /// The upkeep of the store.
    var maintenance: any StoreMaintenance { get }

    /// The store as the sync engine of one identity uses it.
    func sync(as author: AuthorKey) -> any SyncStore

    /// The users and sessions. Only a standalone gateway uses them.
    var accounts: any AccountStore { get }

    /// The users who have signed in to a replica. Only the gateway's own store has any.
    var people: any PeopleStore { get }

    /// The files whose contents a gateway keeps once for all its users.
    var sharedFiles: any SharedFileStore { get }

    /// Which classes follow those of the gateway. Only the store of a user's space uses it.
    var classFollower: any ClassFollower { get }

    /// Counts objects, pending changes and open decisions, for the sync status and the metrics.
    /// - Parameter principal: in a site replica, only the changes and decisions that the principal lists count. The objects are all
    ///   objects.
    func figures(as principal: Principal) async throws -> SyncFigures

    /// Everything that the remote does not have, without a limit.
    func waitingWork() async throws -> WaitingWork
}

extension GatewayStore {
    /// Counts everything.
    package func figures() async throws -> SyncFigures { try await figures(as: .master) }
}

/// A kind of store: opens stores, and checks their files.
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

    /// Reads which users of a standalone gateway have no password, or equal names. A running gateway may be using the directory.
    /// - Returns: nil if the directory has no store, or the store of a replica.
    /// - Throws: `StoreError` if the store cannot be read.
    func accountFindings(in directory: String) throws -> AccountFindings?

    /// Finds ids that the remote has replaced in the texts of a replica's objects, without opening the store.
    /// - Returns: nil if no replica has used the directory.
    /// - Throws: `StoreError` if the file is unreadable.
    func replacedIds(in directory: String) throws -> ReplacedIds?

    /// Reads what the store in a data directory knows about its remote. A running gateway may be using the directory.
    /// - Returns: nil if the directory has no store, or the store of a standalone gateway.
    /// - Throws: `StoreError` if the store cannot be read.
    func remoteOutline(in directory: String) throws -> RemoteOutline?

    /// Whether changes, rejections, conflicts or held removals wait in the replica's store in a data directory. A running gateway may
    /// be using the directory.
    /// - Returns: false if the directory has no store.
    /// - Throws: `StoreError` if the store cannot be read.
    func hasWaitingWork(in directory: String) throws -> Bool

    /// Counts objects, pending changes and open decisions of the store in a data directory. A running gateway may be using the
    /// directory.
    /// - Returns: nil if the directory has no store, or the store of a standalone gateway.
    /// - Throws: `StoreError` if the store cannot be read.
    func figures(in directory: String) throws -> SyncFigures?
}

/// What a store knows about its remote.
package struct RemoteOutline: Sendable, Hashable {
    package let remote: StoreIdentity.Remote
    /// The mappings of the registered classes.
    package let mappings: [String: ClassMapping]
    /// The setting `people` at the last start; nil if it was never noted.
    package let people: String?
    /// Whether a sync has succeeded.
    package let hasSynced: Bool
    /// Whether the replica has ever been a site. It may then have objects that only some users may read.
    package let wasSite: Bool
    /// The number of users of a site whose changes wait.
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

    /// Who checks the rights of clients, and whose changes are told apart.
    package enum Rights: Sendable {
        /// The remote, for each change that it gets. Clients of the store read all objects.
        case byRemote
        /// The store: it enforces ACLs and the permissions of classes.
        case here
        /// The store, for the users of a site replica. It keeps the author of each change, and gives no permission on a class that the
        /// remote has not described.
        case site
        /// The store of a replica that serves users no longer, because its objects may be from a time in which it did. The changes of
        /// those users have authors, and wait until the data directory is a site's again.
        case formerSite
    }

    package var directory: String
    package var identity: StoreIdentity
    /// `full`: a power failure loses no acknowledged write. `normal`: a power failure may lose the latest writes.
    package var synchronous: Synchronous = .full
    /// Whether clients may choose the objectId of a new object. Even if true, a replica refuses chosen ids if its remote is known
    /// to refuse them, as a stock Parse Server does.
    package var allowsChosenIds = false
    /// What happens to the installations whose device token another one gets.
    package var duplicateDeviceToken = DuplicateDeviceToken.delete
    /// The maximum number of fields of a class, enforced for local writes. Pulled rows may exceed it.
    package var classFieldsMax = 1000
    /// The values that the remote can store. Local writes of other values are refused. Nil for a standalone store, and for a
    /// remote that stores every object.
    package var valueRules: (any RemoteValueRules)?
    /// Called after a local write is on disk.
    package var onLocalWrite: @Sendable () -> Void = {}
    /// Called from any thread when a read has found new damage. `findings` contains only the new damage.
    package var onDamage: @Sendable (_ findings: FileFindings) -> Void = { _ in }
    /// Called from any thread when queries have lost enough time that an index should be created at once (`tendIndexes`).
    package var onIndexDue: @Sendable () -> Void = {}
    /// The data directory of the gateway's own store, which also has contents of the files of this store; nil for a store that has
    /// all its contents itself.
    package var sharedDirectory: String?
    /// Whether files of the remote are kept without a reference, because users' spaces refer to them. Their contents can be evicted.
    package var keepsRemoteFiles = false
    /// Whether to use the data directory even if it is a copy of another gateway's directory.
    package var takesOver = false
    /// Who checks the rights of clients.
    package var rights: Rights
    /// Whether the sync engine reads the remote with its master key, regardless of ACLs. Each object of the remote is then in its lists.
    package var seesEverything = false
    /// The user under whose sessions the sync engine reads the remote; nil in a store of no single user.
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
        /// The user whom the remote's token names: the `sub` claim of a JSON Web Token. Nil without a token, and for a token that
        /// cannot be read.
        package let subject: String?

        /// The kind of remote assumed for store files of earlier versions, which do not name the kind.
        package static let kindOfEarlierFiles = "parse"

        package init(kind: String = kindOfEarlierFiles, url: String, applicationId: String?, subject: String? = nil) {
            self.subject = subject
            self.kind = kind
            self.url = url
            self.applicationId = applicationId
        }

        /// Whether both may be the same remote. A subject that is unknown on one side agrees with every subject.
        package func agrees(with other: Remote) -> Bool {
            (kind, url, applicationId) == (other.kind, other.url, other.applicationId)
                && (subject == nil || other.subject == nil || subject == other.subject)
        }

        /// The URL and application id, for a message that names this remote and `other`. The kind and the user are added if they
        /// differ.
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
