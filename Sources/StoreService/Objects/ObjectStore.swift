import ParseModel
import SyncModel

/// The functions of a store that the local API needs: objects by id and by query, writes, and the change feed.
///
/// Reads and writes of objects take a principal. The store applies `AccessRules`: it refuses forbidden operations, and returns
/// objects without the fields that the principal may not read. A read blocks its thread. It never waits for the network or
/// for writers.
package protocol ObjectStore: Sendable {
    /// The schemas of the objects' classes.
    var schemas: any SchemaStore { get }
    /// The files to which the objects refer.
    var files: any FileStore { get }
    /// The change feed as live queries read it.
    var live: any LiveStore { get }
    /// Exports and imports of whole classes.
    var transfer: any TransferStore { get }
    /// Translates ids and file names of this store to those of the remote.
    var remoteNames: any RemoteNaming { get }

    // MARK: Reads

    /// Finds an object by its id or by an alias, an earlier id of the object; nil for an unknown id.
    /// - Throws: `ParseError` for a class that the principal may not read, `StoreError.damaged`.
    func object(_ className: String, _ objectId: String, as principal: Principal) throws -> StoredObject?

    /// Passes the matches of a query to `each`, in the query's order.
    /// - Returns: the number of matches regardless of limit and skip; nil unless the query requests it.
    /// - Throws: `ParseError` for a query that is invalid or forbidden, `StoreError.tookTooLong`, and the errors of `each`.
    func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int?

    /// The SQL statements that answer a query, in the order of execution. The last statement finds the objects. The earlier
    /// statements compute values for the last one.
    /// - Parameter timeout: the time limit, which also covers the subqueries that the store runs.
    /// - Throws: `ParseError` for a query that is invalid or forbidden, `StoreError.tookTooLong`.
    func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement]

    /// The indexes that the store has created for frequent queries, sorted by class and fields. Rights are not checked.
    func indexUses() throws -> [IndexUse]

    /// The object's `_sync` field, which describes its sync state to clients.
    func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark

    /// The facts about the life of one object that the store keeps. Does not check whether the principal may read the
    /// object. A principal with restricted rights gets only its own changes and conflicts, and no entries of the change
    /// feed.
    /// - Parameter objectId: the id, or an earlier id. The object need not exist.
    func history(of className: String, _ objectId: String, as principal: Principal) throws -> ObjectHistory

    /// Searches a class for damaged objects, whose stored JSON is unreadable. Later queries skip these objects.
    func noteDamage(in className: String) throws

    /// The number of known damaged objects of a class, which its lists leave out.
    func damagedCount(of className: String) -> Int

    /// The sorted names of all classes that have objects or are under sync. On a standalone gateway, classes that only have a
    /// schema are included.
    func classNames() throws -> [String]

    // MARK: Writes

    /// Checks that the principal may perform a write on at least some objects of its class.
    /// - Throws: `ParseError` if the principal may not.
    func authorize(_ write: WriteRequest, as principal: Principal) throws

    /// The writes that the principal may make on no object of a class: some of create, update, delete and addField.
    func deniedWrites(in className: String, as principal: Principal) throws -> [ClassRights.Operation]

    /// Performs writes in order, in one transaction. Writes of other callers may share this transaction.
    /// - Parameter atomically: whether all writes fail if one of them fails. Otherwise each write
    ///   succeeds or fails independently.
    /// - Returns: one result for each request. Successful writes are on disk. Failures are `ParseError` or `StoreError`.
    func perform(
        _ requests: [WriteRequest], as principal: Principal, atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>]

    /// Records a request id (`X-Parse-Request-Id`). The record is on disk when this returns.
    /// - Parameter lifetime: the time for which the id is kept. If there are too many ids, the oldest ones are dropped earlier.
    /// - Returns: false for an id that is already recorded.
    func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool

    /// Forgets a request id, so that its request can be sent again.
    func releaseRequestId(_ id: String) async throws

    // MARK: Change feed

    /// Reads entries of the change feed after a number, oldest first. For a reader with restricted rights, an object
    /// that becomes readable appears as created, and an object that is no longer readable appears as deleted.
    /// - Parameters:
    ///   - since: nil returns an empty page, whose `next` is the newest number.
    ///   - classes: the classes of the entries; nil for all.
    ///   - kinds: the kinds of the entries, as the reader sees them; nil for all.
    /// - Throws: `StoreError.feedTrimmed` for a number outside the feed. Also for a number before a change of rights
    ///   that concerns too many objects of the reader.
    func changes(
        since: Int64?, classes: Set<String>?, kinds: Set<ChangeEntry.Kind>?, limit: Int, as principal: Principal
    ) throws -> ChangePage

    /// Whether the principal's rights on classes and objects restrict the entries that `changes` returns.
    func restrictsFeed(for principal: Principal) -> Bool

    /// The principal, with the roles that its user has now.
    /// - Returns: nil if the session has ended.
    func present(_ principal: Principal) throws -> Principal?

    /// Adds an observer of commits.
    /// - Parameter observer: called after each committed transaction, from any thread. It must return at once.
    func onCommit(_ observer: @escaping @Sendable () -> Void)

    // MARK: Global configuration

    /// The stored text of `/config`; nil before the first `changeConfig`.
    func config() throws -> String?

    /// Replaces the text of `/config`. The new text is on disk when this returns.
    /// - Parameter change: maps the current text to the new one. If it throws, the current text stays.
    func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws
}

extension ObjectStore {
    /// Reads entries of all kinds.
    package func changes(
        since: Int64?, classes: Set<String>?, limit: Int, as principal: Principal
    ) throws -> ChangePage {
        try changes(since: since, classes: classes, kinds: nil, limit: limit, as: principal)
    }

    /// The whole result of a query, without a time limit.
    package func find(
        _ className: String, _ query: ParseQuery, as principal: Principal
    ) throws -> FoundObjects {
        var objects: [StoredObject] = []
        let count = try find(className, query, as: principal, timeout: .unlimited) { objects.append($0) }
        return FoundObjects(objects: objects, count: count)
    }
}

/// The whole result of a query.
package struct FoundObjects: Sendable {
    package let objects: [StoredObject]
    /// The number of matches regardless of limit and skip; nil unless the query requests it.
    package let count: Int?

    package init(objects: [StoredObject], count: Int?) {
        self.objects = objects
        self.count = count
    }
}

/// An SQL statement of a query, and SQLite's plan for it.
package struct ExplainedStatement: Sendable, Hashable {
    /// The statement, with a question mark in place of each value.
    package let sql: String
    /// The plan, one line for each step (https://sqlite.org/eqp.html). A step is indented below its parent.
    package let plan: [String]

    package init(sql: String, plan: [String]) {
        self.sql = sql
        self.plan = plan
    }
}
