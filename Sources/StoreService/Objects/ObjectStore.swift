import ParseModel
import SyncModel

/// A store as the local API uses it: objects by id and by query, writes, and the change feed.
///
/// Reads and writes take a principal. The store applies `AccessRules`: it refuses forbidden operations and returns objects
/// without hidden fields. Reads block their thread, but never wait for the network or for writers.
package protocol ObjectStore: SchemaStore, FileStore, RemoteNaming {
    // MARK: Reads

    /// An object by its id or by one of its aliases; nil for an unknown id.
    /// - Throws: `ParseError` for a class that the principal may not read, `StoreError.damaged`.
    func object(_ className: String, _ objectId: String, as principal: Principal) throws -> StoredObject?

    /// Passes the matches of a query to `each`, in the query's order.
    /// - Returns: the number of matches regardless of limit and skip; nil unless the query asks for it.
    /// - Throws: `ParseError` for a query that is invalid or forbidden, `StoreError.tookTooLong`, and the errors of `each`.
    func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int?

    /// The statements of a query, in order. The last one finds the objects; the earlier ones select values for it.
    /// - Parameter timeout: also limits the subqueries that the store runs for their values.
    /// - Throws: `ParseError` for a query that is invalid or forbidden, `StoreError.tookTooLong`.
    func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement]

    /// A strong entity tag of an object's fields, quotation marks included.
    ///
    /// The tag covers all stored fields that the principal may read, including fields that a response leaves out. An
    /// acknowledgement of this gateway's own push leaves it unchanged.
    func tag(_ className: String, _ object: StoredObject, as principal: Principal) throws -> String

    /// The `_sync` member of the object.
    func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark

    /// Records the objects of a class with unreadable JSON. Later queries leave them out.
    func noteDamage(in className: String) throws

    /// The names of all classes with objects or a schema, sorted.
    func classNames() throws -> [String]

    // MARK: Writes

    /// Performs writes in order, in one transaction, which other callers may share.
    /// - Parameter atomically: whether all writes fail if one fails. Otherwise each succeeds or fails alone.
    /// - Returns: one result for each request. Successes are on disk. Failures are `ParseError` or `StoreError`.
    func perform(
        _ requests: [WriteRequest], as principal: Principal, atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>]

    /// Records a request id (`X-Parse-Request-Id`). The record is on disk when this returns.
    /// - Parameter lifetime: the time for which the id is remembered. Beyond a limit of ids the oldest are forgotten earlier.
    /// - Returns: false for an id that is already recorded.
    func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool

    // MARK: Change feed

    /// Entries of the change feed after a number, oldest first.
    /// - Parameter since: nil for the end of the feed: an empty page whose `next` is the newest number.
    /// - Throws: `StoreError.feedTrimmed` for a number outside the feed.
    func changes(
        since: Int64?, classes: Set<String>?, limit: Int, as principal: Principal
    ) throws -> ChangePage

    /// - Parameter observer: called after each committed transaction, from any thread. It must return at once.
    func onCommit(_ observer: @escaping @Sendable () -> Void)

    // MARK: Global configuration

    /// The text of the last `changeConfig`; nil before the first.
    func config() throws -> String?

    /// Replaces the text of `/config`. The text is on disk when this returns.
    /// - Parameter change: maps the present text to the new one. If it throws, the present text stays.
    func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws
}

extension ObjectStore {
    /// The whole result of a query, without a time limit.
    package func find(
        _ className: String, _ query: ParseQuery, as principal: Principal
    ) throws -> FoundObjects {
        var objects: [StoredObject] = []
        let count = try find(className, query, as: principal, timeout: .unlimited) { objects.append($0) }
        return FoundObjects(objects: objects, count: count)
    }
}
