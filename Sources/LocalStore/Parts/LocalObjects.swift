import GRDB
import ParseModel
import StoreService

/// Reads and writes the objects of a store for the local API.
final class LocalObjects: ObjectStore {
    private let transactions: Transactions
    private let product: StoreProduct
    private let reads: ObjectReads
    /// The users and sessions of a site replica; nil in other stores, where sessions are objects of `_Session`.
    private let people: LocalPeople?

    let schemas: any SchemaStore
    let files: any FileStore
    let remoteNames: any RemoteNaming
    let live: any LiveStore
    let transfer: any TransferStore

    private var access: StoreAccess { transactions.access }
    private var configuration: StoreConfiguration { transactions.configuration }

    init(
        _ transactions: Transactions, _ product: StoreProduct, _ reads: ObjectReads, _ files: any FileStore,
        people: LocalPeople?
    ) {
        (self.transactions, self.product, self.reads, self.people) = (transactions, product, reads, people)
        schemas = LocalSchemas(transactions: transactions)
        self.files = files
        remoteNames = LocalRemoteNames(transactions: transactions)
        live = LocalLiveStore(transactions: transactions)
        transfer = LocalTransfer(transactions: transactions, way: product.writes)
    }

    // MARK: Reads

    func object(_ className: String, _ objectId: String, as principal: Principal) throws -> StoredObject? {
        try reads.object(className, objectId, as: principal)
    }

    func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try reads.find(className, query, as: principal, timeout: timeout, each: each)
    }

    func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement] {
        try reads.explain(className, query, as: principal, timeout: timeout)
    }

    func indexUses() throws -> [IndexUse] { try reads.indexUses() }

    func authorize(_ write: WriteRequest, as principal: Principal) throws {
        try write.authorize(as: principal, transactions.rules(of: write.className, as: principal).rights)
    }

    func deniedWrites(in className: String, as principal: Principal) throws -> [ClassRights.Operation] {
        try transactions.rules(of: className, as: principal).deniedWrites
    }

    func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark {
        let denied = access.deniedWrites(
            by: try transactions.rules(of: className, as: principal), configuration.settings)
        return try transactions.readOnce { db in
            ObjectMark(
                state: object.state, isHidden: object.isHidden, tag: object.contentMark.tag,
                fetched: try KeptFields.fetched(of: className, object.objectId, in: db),
                denied: try denied.writes(of: object, in: db))
        }
    }

    func history(of className: String, _ objectId: String, as principal: Principal) throws -> ObjectHistory {
        try transactions.read { db in
            try ObjectHistoryReader(
                db: db, lister: transactions.authorship.lister(of: principal, in: db),
                showsFeed: !access.restricts(principal)
            ).history(of: className, objectId)
        }
    }

    func damagedCount(of className: String) -> Int { reads.damaged.count(of: className) }

    func noteDamage(in className: String) throws {
        try transactions.readOnce { try reads.damaged.look(for: [className], in: $0) }
    }

    func classNames() throws -> [String] {
        try transactions.readOnce {
            try ClassTable(db: $0).allNames(withSchemas: product.namesClassesWithoutObjects)
        }
    }

    // MARK: Writes

    func perform(
        _ requests: [WriteRequest], as principal: Principal, atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        do {
            defer { configuration.onLocalWrite() }
            let writes = requests.map { PreparedWrite($0, fieldsMax: configuration.classFieldsMax) }
            return try await transactions.write(as: principal, isLocal: true) { [way = product.writes] transaction in
                try LocalWrites(transaction, way).perform(writes, atomically: atomically)
            }
        } catch {
            return requests.map { _ in .failure(error) }
        }
    }

    func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool {
        try await transactions.write(isLocal: true) {
            try RequestIds(db: $0.db).take(id, now: $0.now, lifetime: lifetime)
        }
    }

    func releaseRequestId(_ id: String) async throws {
        try await transactions.write(isLocal: true) { try RequestIds(db: $0.db).release(id) }
    }

    // MARK: The change feed

    func changes(
        since: Int64?, classes: Set<String>?, kinds: Set<ChangeEntry.Kind>?, limit: Int, as principal: Principal
    ) throws -> ChangePage {
        let filter = FeedFilter(classes: classes, kinds: kinds)
        return try transactions.read {
            try FeedPages(db: $0).page(since: since, filter, limit: limit, for: principal, access)
        }
    }

    func restrictsFeed(for principal: Principal) -> Bool { access.restricts(principal) }

    func present(_ principal: Principal) throws -> Principal? {
        guard let user = principal.user else { return principal }
        if let people { return try people.present(user).map(Principal.user) }
        let now = transactions.environment.now()
        return try transactions.read { db in
            guard let session = try SessionTable(db: db).session(id: user.sessionId),
                session.expiresAt.map({ $0 > now }) ?? true, try configuration.mayWork(user.objectId, in: db)
            else { return nil }
            let roles = try RoleMembership(db: db).roles(of: user.objectId)
            return .user(SignedInUser(objectId: user.objectId, roles: roles, sessionId: user.sessionId))
        }
    }

    func onCommit(_ observer: @escaping @Sendable () -> Void) { transactions.file.writer.observers.add(observer) }

    // MARK: Values of `/config`

    private static let configKey = "config"

    func config() throws -> String? { try transactions.readOnce { try Meta.value(of: Self.configKey, in: $0) } }

    func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws {
        try await transactions.write { transaction in
            let text = try change(try Meta.value(of: Self.configKey, in: transaction.db))
            try Meta.set(Self.configKey, text, in: transaction.db)
        }
    }
}

/// Translates local ids and file names to the remote's, for forwarded requests.
private struct LocalRemoteNames: RemoteNaming {
    let transactions: Transactions

    func remoteNames(of things: NamedThings) throws -> RemoteNames {
        guard !things.isEmpty else { return RemoteNames() }
        return try transactions.readOnce { try RemoteNames(of: things, in: $0) }
    }
}
