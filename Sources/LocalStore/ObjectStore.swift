import ParseModel
import SyncModel

/// What the local API needs of a store: objects by id and by query, writes, and the change feed.
/// Reads block for as long as SQLite takes, and never wait for the network or for writers.
package protocol ObjectStore: SchemaStore, FileStore, RemoteNaming {
    /// The object's view by its id or by an alias of it; nil where there is none.
    func object(_ className: String, _ objectId: String) throws -> StoredObject?

    /// A strong entity tag of an object's fields, quotation marks included.
    ///
    /// It covers all fields that are kept here, also those that an answer leaves out, and is the same before and after a push of
    /// our own is acknowledged.
    /// - Parameter hidden: fields that the reader may not see.
    func tag(_ className: String, _ object: StoredObject, hiding hidden: [String]) throws -> String

    /// The members of an object's `_sync`.
    func mark(_ className: String, _ object: StoredObject, hiding hidden: [String]) throws -> ObjectMark

    /// Takes note of the objects of a class whose stored JSON cannot be read: queries leave them out from then on.
    func noteDamage(in className: String) throws

    /// Hands out the objects that a query finds, in its order.
    /// - Returns: how many objects match without limit and skip, where the query asks for it.
    /// - Throws: `ParseError` for a query that cannot be answered, `StoreError.tookTooLong`, and what `each` throws.
    func find(
        _ className: String, _ query: ParseQuery, patience: Patience, each: (StoredObject) throws -> Void
    ) throws -> Int?

    /// How a query would be answered, without answering it.
    /// - Returns: the statements that SQLite would be given, in their order; the last one finds the objects, those before it
    ///   select values for it.
    /// - Parameter patience: ends the reads of queries inside of the query, which are carried out for this.
    /// - Throws: `ParseError` for a query that cannot be answered, and `StoreError.tookTooLong`.
    func explain(_ className: String, _ query: ParseQuery, patience: Patience) throws -> [ExplainedStatement]

    /// Carries out writes in order, in one SQLite transaction with whatever else is being written.
    /// - Parameter atomically: all or none; otherwise each stands for itself.
    /// - Returns: a result for each request; each success is on disk. Failures are `ParseError` or `StoreError`.
    func perform(_ requests: [WriteRequest], atomically: Bool) async -> [Result<WriteReceipt, any Error>]

    /// Remembers the id of a request. It is on disk when this returns.
    /// - Parameter lifetime: how long the id counts as taken; some of very many may be forgotten sooner.
    /// - Returns: false where it was taken already.
    func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool

    /// Changes of views after a number of the change feed, oldest first.
    /// - Parameter since: nil for the feed's end: an empty page, whose `next` is the number of the latest change.
    /// - Throws: `StoreError.feedTrimmed` where entries after `since` are no longer kept, or never were in this file.
    func changes(since: Int64?, classes: Set<String>?, limit: Int) throws -> ChangePage

    /// - Parameter observer: called after each transaction that is on disk, whether or not views have changed, from any
    ///   thread; must return at once.
    func onCommit(_ observer: @escaping @Sendable () -> Void)

    /// Names of all classes that hold objects or a schema, sorted.
    func classNames() throws -> [String]

    /// What `changeConfig` made last; nil before.
    func config() throws -> String?

    /// Changes the values of `/config`, which are one text to the store. It is on disk when this returns.
    /// - Parameter change: gives the text after, from the one before. What it throws leaves all as it was.
    func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws
}

extension ObjectStore {
    /// How a query would be answered, however long it takes to tell.
    package func explain(_ className: String, _ query: ParseQuery) throws -> [ExplainedStatement] {
        try explain(className, query, patience: .endless)
    }

    /// All that a query finds, at once.
    package func find(_ className: String, _ query: ParseQuery) throws -> FoundObjects {
        var objects: [StoredObject] = []
        let count = try find(className, query, patience: .endless) { objects.append($0) }
        return FoundObjects(objects: objects, count: count)
    }
}

package struct StoredObject: Sendable, Hashable {
    package let objectId: String
    /// The view as the API returns it: `{"objectId":…,"createdAt":…,"updatedAt":…,…}`.
    package let json: [UInt8]
    package let state: SyncState
    /// The remote has taken the object and does not show it.
    package let isHidden: Bool

    package init(objectId: String, json: [UInt8], state: SyncState, isHidden: Bool = false) {
        self.objectId = objectId
        self.json = json
        self.state = state
        self.isHidden = isHidden
    }

    package var jsonText: String { String(decoding: json, as: UTF8.self) }
}

/// A statement, and how SQLite goes about it.
package struct ExplainedStatement: Sendable, Hashable {
    /// With question marks for values.
    package let sql: String
    /// A line for each step (https://sqlite.org/eqp.html), indented below the step that it is a part of.
    package let plan: [String]

    package init(sql: String, plan: [String]) {
        self.sql = sql
        self.plan = plan
    }
}

package struct FoundObjects: Sendable {
    package let objects: [StoredObject]
    /// How many objects match without limit and skip, where the query asked for it.
    package let count: Int?

    package init(objects: [StoredObject], count: Int?) {
        self.objects = objects
        self.count = count
    }
}

package enum WriteRequest: Sendable {
    /// - Parameters:
    ///   - body: field values and operations. May hold `objectId` where the store allows chosen ids.
    ///   - terms: a create looks at `wantsMark` only.
    case create(className: String, body: JSONObject, terms: WriteTerms = WriteTerms())
    /// Fails with `StoreError.stale` or `.gone` where the terms are not met.
    case update(className: String, objectId: String, body: JSONObject, terms: WriteTerms = WriteTerms())
    case delete(className: String, objectId: String, terms: WriteTerms = WriteTerms())
}

package struct WriteReceipt: Sendable, Hashable {
    package let objectId: String
    package let createdAt: ParseDate
    package let updatedAt: ParseDate
    /// Values that operations resulted in, by field: what the answer repeats.
    package let echoed: JSONObject
    /// Of the object after the write, where the terms ask for it.
    package let mark: ObjectMark?

    package init(
        objectId: String, createdAt: ParseDate, updatedAt: ParseDate, echoed: JSONObject, mark: ObjectMark? = nil
    ) {
        self.mark = mark
        self.objectId = objectId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.echoed = echoed
    }
}

package struct ChangePage: Sendable {
    package let entries: [ChangeEntry]
    /// Where the next page starts: pass it as `since`.
    package let next: Int64

    package init(entries: [ChangeEntry], next: Int64) {
        self.entries = entries
        self.next = next
    }
}

/// One change of one object's view, whoever made it.
package struct ChangeEntry: Sendable {
    package enum Kind: String, Sendable { case create, update, delete }

    package let number: Int64
    package let className: String
    package let objectId: String
    package let kind: Kind
    /// The object's present view, which may be younger than this entry; nil where it is gone.
    package let json: String?
    /// Where the object stands with the remote now.
    package let state: SyncState
    /// The remote has acknowledged the object and does not show it.
    package let isHidden: Bool

    package init(
        number: Int64, className: String, objectId: String, kind: Kind, json: String?, state: SyncState = .synced,
        isHidden: Bool = false
    ) {
        self.state = state
        self.isHidden = isHidden
        self.number = number
        self.className = className
        self.objectId = objectId
        self.kind = kind
        self.json = json
    }
}
