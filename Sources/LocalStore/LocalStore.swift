import GRDB
import ParseModel
import StoreService
import SyncModel

/// A store in a SQLite file. Local clients read and write its objects. In a replica, the sync engine keeps the objects in step
/// with the remote.
///
/// Most methods are one transaction. The SQL is in types such as `FileTable`, which take a `Database` or a `StoreTransaction`.
package final class LocalStore: GatewayStore {
    package let configuration: StoreConfiguration
    let environment: Environment
    let indexes: IndexKeeper
    let damaged: DamagedObjects
    let objectCache: ObjectCache
    let sessions = SessionCache()
    let storage: StoreFile
    private let stamps: WriteStamps
    private let schemaCache = SchemaCache()
    let access: StoreAccess
    private let past = PastStates()

    /// Identifies this gateway among all gateways of the same remote.
    package var replicaId: String { storage.replicaId }
    var readers: ReaderPool { storage.readers }
    var contents: ContentDirectory { storage.contents }

    /// Opens the file, or creates it.
    /// - Throws: `StoreError`. A file of a newer version, a file in use and a file of another program stay unchanged.
    package init(_ configuration: StoreConfiguration, environment: Environment) throws {
        _ = SQLiteMemory.isUncounted
        self.configuration = configuration
        self.environment = environment
        damaged = DamagedObjects(onFound: configuration.onDamage)
        objectCache = ObjectCache(bytesMax: configuration.objectCacheBytesMax)
        indexes = IndexKeeper(configuration.indexing, began: environment.uptime(), onDue: configuration.onIndexDue)
        access = StoreAccess(
            isEnforced: configuration.settings.enforcesRights, closesUnknown: configuration.isSite)
        storage = try StoreFile(
            configuration, environment: environment,
            observers: [schemaCache, objectCache, access.rights, access.acls, sessions])
        stamps = WriteStamps(
            after: storage.stampFloor, keepsOrder: configuration.keepsStampsInOrder, now: environment.now)
    }

    /// Interrupts running and later queries of clients, which then throw. Called before the store closes.
    package func interruptReads() { storage.interruptReads() }

    /// Opens a read-only connection outside of the reader pool, for long work.
    func openReader() throws -> DatabaseQueue { try storage.openReader() }

    /// The store as the sync engine of one identity uses it.
    package func sync(as identity: SyncIdentity) -> any SyncStore { LocalSyncStore(self, as: identity) }

    package var accounts: any AccountStore { LocalAccounts(store: self) }
    package var people: any PeopleStore { LocalPeople(store: self) }
    package var sharedFiles: any SharedFileStore { LocalSharedFiles(store: self) }
    package var fileRights: any FileRights { LocalFileRights(store: self) }
    package var classFollower: any ClassFollower { LocalClassFollower(store: self) }

    // MARK: Access for the parts of the store

    /// Reads with several statements in one snapshot.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.read(body) }

    func readOnce<Value>(_ body: (Database) throws -> Value) throws -> Value { try readers.readOnce(body) }

    /// Reads in one snapshot from async code, through `ReadThreads`.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.read(body)
    }

    func readOnce<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await readers.readOnce(body)
    }

    /// Runs `body` in a write transaction, which other writes may share.
    /// - Parameters:
    ///   - identity: the identity of a sync; nil for that of the principal as the author of changes.
    ///   - isLocal: whether a local client makes the write. Of the cached objects, only those that the write saves are then removed.
    ///     If the write changes a schema, it empties the schema cache itself.
    func write<Value: Sendable>(
        as principal: Principal = .master, of identity: SyncIdentity? = nil, isLocal: Bool = false,
        kind: WriteKind = .other,
        _ body: @escaping @Sendable (StoreTransaction) throws -> Value
    ) async throws -> Value {
        // The closure does not capture `self`: otherwise the writer's queue would keep the store, and the lock on its directory,
        // for a moment after the store's last user has gone.
        try await storage.writer.write(kind) {
            [stamps, configuration, environment, schemaCache, objectCache, access, past, sessions] db in
            var isUndone = true
            defer {
                if isUndone || !isLocal { schemaCache.forget() }
                if isUndone { access.acls.forgetKeys() }
            }
            if !isLocal {
                objectCache.removeAllAtCommit()
                access.rights.forgetAtCommit()
            }
            let value = try body(
                StoreTransaction(
                    db: db, now: stamps.next(), store: configuration, environment: environment, principal: principal,
                    identity: identity ?? Authors(db: db).identity(of: principal, configuration), schemas: schemaCache,
                    access: access, objects: objectCache, past: past, watchRoles: RoleChange.watch, sessions: sessions))
            isUndone = false
            return value
        }
    }

    package func dropUnusedObjects() { objectCache.removeUnused() }

    // MARK: ObjectStore

    package func onCommit(_ observer: @escaping @Sendable () -> Void) { storage.writer.observers.add(observer) }

    package func object(_ className: String, _ objectId: String, as principal: Principal) throws -> StoredObject? {
        try ObjectRead(
            rules: rules(of: className, as: principal), access: access, damaged: damaged, cache: objectCache,
            readers: readers
        ).object(objectId)
    }

    package func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark {
        let denied = access.deniedWrites(by: try rules(of: className, as: principal), configuration.settings)
        return try readOnce { [isReplica = configuration.identity.isReplica] db in
            ObjectMark(
                state: object.state, isHidden: object.isHidden, tag: object.contentMark.tag,
                fetched: isReplica ? try KeptFields.fetched(of: className, object.objectId, in: db) : nil,
                denied: try denied.writes(of: object, in: db))
        }
    }

    package func perform(
        _ requests: [WriteRequest], as principal: Principal, atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        do {
            defer { configuration.onLocalWrite() }
            let writes = requests.map { PreparedWrite($0, fieldsMax: configuration.classFieldsMax) }
            return try await write(as: principal, isLocal: true) { transaction in
                try LocalWrites(transaction).perform(writes, atomically: atomically)
            }
        } catch {
            return requests.map { _ in .failure(error) }
        }
    }

    package func classNames() throws -> [String] {
        // A replica leaves out classes that only have a schema: it also knows schemas of remote classes that it does not store.
        try readOnce { [isReplica = configuration.identity.isReplica] in
            try ClassTable(db: $0).allNames(withSchemas: !isReplica)
        }
    }

    // MARK: The change feed

    package func changes(
        since: Int64?, classes: Set<String>?, kinds: Set<ChangeEntry.Kind>?, limit: Int, as principal: Principal
    ) throws -> ChangePage {
        let filter = FeedFilter(classes: classes, kinds: kinds)
        return try read { try FeedPages(db: $0).page(since: since, filter, limit: limit, for: principal, access) }
    }

    // MARK: Values of `/config`

    private static let configKey = "config"

    package func config() throws -> String? { try readOnce { try Meta.value(of: Self.configKey, in: $0) } }

    package func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws {
        try await write { transaction in
            let text = try change(try Meta.value(of: Self.configKey, in: transaction.db))
            try Meta.set(Self.configKey, text, in: transaction.db)
        }
    }

    package func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool {
        try await write(isLocal: true) { try RequestIds(db: $0.db).take(id, now: $0.now, lifetime: lifetime) }
    }
}
