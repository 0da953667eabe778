import ParseModel
import SyncModel

/// A server that the sync engine synchronizes with the local store. Every kind of remote implements this protocol. Relations,
/// files, schemas, forwarded calls and diagnosis are optional and have protocols of their own.
///
/// The engine decides by capabilities, optional protocols and outcomes, and never by the kind of the remote. The contract in
/// `Tests/GatewayTests/Contract` specifies the behaviour and tests each implementation.
package protocol RemoteService: Sendable {
    /// The remote's capabilities for a class, as far as they are known without a request.
    func capabilities(of className: String) -> RemoteCapabilities

    /// The maximum number of operations in one batch, of other requests in one batch, and of requests in one call of
    /// `pull`. It is 1 for a remote without batches.
    var batchMax: Int { get }
    /// The maximum number of batches that one call of `push` sends at the same time.
    var batchesMax: Int { get }

    /// The limits that the remote has named in its refusals; nil for a kind of remote that names none.
    var limits: RemoteLimits? { get }

    // MARK: Offers, each nil if the remote lacks it

    var relations: (any RemoteRelationService)? { get }
    var files: (any RemoteFileService)? { get }
    /// The reader of the remote's schemas; nil if the remote has no schemas or the keys do not allow reading them.
    var schemas: (any RemoteSchemaService)? { get }
    var calls: (any RemoteCallService)? { get }
    var probe: (any RemoteProbe)? { get }
    /// The reader of deletions from a change feed; nil for a kind of remote without change feeds.
    var deletions: (any RemoteDeletionFeed)? { get }
    /// Opens connections on which the remote reports changes; nil for a kind of remote without them, or if they are switched off.
    var changeSignals: (any RemoteChangeSignals)? { get }
    /// The reader of users' sessions; nil if the remote has no Parse sessions.
    var sessions: (any RemoteSessionService)? { get }

    // MARK: Reads

    /// The current time of the remote. The engine calls this only while no other answer has shown the time.
    func serverTime() async throws(RemoteError) -> ParseDate

    /// Reads one page of changes for each request, in one round trip if the remote supports that.
    /// - Returns: a page for each request, in order.
    /// - Throws: `RemoteError` if any page fails.
    func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage]

    /// Whether `firstPages` can send `WatchQuery` values with the pages.
    var answersWatch: Bool { get }

    /// Reads the first page of each pull, and answers the queries, which check whether the remote still shows known
    /// objects. Takes one round trip if the remote supports that.
    /// - Throws: `RemoteError` if the whole request fails. The failure of one page is in its result.
    func firstPages(_ requests: [PullRequest], watching queries: [WatchQuery]) async throws(RemoteError) -> FirstPages

    /// One page of the objects that match the query and were created in the range: their ids and `updatedAt`, in the
    /// remote's sort order of ids.
    /// - Parameter last: the last id of the previous page; nil for the first page.
    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage

    /// The ids of all objects that match the query: one list for each range, in order, with as few requests as possible.
    func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]]

    /// Counts the objects that match the query in each range, with as few requests as possible.
    /// - Returns: a count for each range, in order. A count is nil if the remote forbids counting.
    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?]

    /// Reads objects by id. The result contains the objects that exist and are readable, and the tombstones of deleted
    /// objects if the remote keeps them.
    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord]

    /// Reads objects of several classes, in one round trip if the remote supports that. Leaves out classes whose objects the remote
    /// refuses to show, so a missing row does not prove a deletion.
    func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord]

    /// Reads one object by its id, if possible without a query; nil if the remote answers that the object does not exist.
    func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord?

    /// Whether the remote shows this service the user under whose session it reads. False without a session.
    func showsUser() async throws(RemoteError) -> Bool

    /// Checks that the remote accepts the key under which this service reads everything. A Parse Server without client
    /// keys ignores a wrong master key, and its lists then lack the objects that are not public. Does nothing without
    /// such a key.
    /// - Throws: `RemoteError.unauthorized` if the remote does not accept the key.
    func requireFullAccess() async throws(RemoteError)

    /// The objects created on the remote at or after a server time, oldest first. A remote may limit the number of
    /// objects.
    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord]

    // MARK: Writes

    /// The reason why the remote can never store a write of these fields; nil if it can. The local write then fails
    /// with this error. The store calls this inside a transaction, so an implementation must not wait.
    /// - Parameters:
    ///   - fields: the fields that the write changes, with their values after the write.
    ///   - mapping: the mapping of the class; empty for a class whose `values` are `any`.
    func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError?

    /// A file of a local write, with the name that the remote's rows give to the file. The store calls this inside a
    /// transaction, so an implementation must not wait.
    func named(_ file: FileReference) -> FileReference

    /// Whether a create may name its own objectId. The engine calls this if the capabilities say `dependsOnSettings`.
    /// - Parameter className: the class of the create.
    func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool

    /// Sends independent operations, in one batch or in several at the same time.
    /// - Returns: an outcome for each operation, in order. If a whole batch fails, all its operations have the outcome of the
    ///   failure.
    func push(_ operations: [PushOperation]) async -> [PushOutcome]

    /// Closes all connections. No requests may follow.
    func close()
}

extension RemoteService {
    package var batchesMax: Int { 1 }
    package var limits: RemoteLimits? { nil }
    package var relations: (any RemoteRelationService)? { nil }
    package var files: (any RemoteFileService)? { nil }
    package func named(_ file: FileReference) -> FileReference { file }
    package var schemas: (any RemoteSchemaService)? { nil }
    package var calls: (any RemoteCallService)? { nil }
    package var probe: (any RemoteProbe)? { nil }
    package var deletions: (any RemoteDeletionFeed)? { nil }
    package var changeSignals: (any RemoteChangeSignals)? { nil }
    package var sessions: (any RemoteSessionService)? { nil }

    /// The default, for a remote without such queries.
    package var answersWatch: Bool { false }

    package func firstPages(
        _ requests: [PullRequest], watching queries: [WatchQuery]
    ) async throws(RemoteError) -> FirstPages {
        FirstPages(pages: try await pull(requests).map { .success($0) })
    }

    package func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord] {
        var records: [RemoteRecord] = []
        for (className, objects) in Dictionary(grouping: objects, by: \.className).sorted(by: { $0.key < $1.key }) {
            do {
                records += try await fetch(className, objectIds: objects.map(\.objectId))
            } catch {
                switch error {
                case .refused, .classUnauthorized: continue
                default: throw error
                }
            }
        }
        return records
    }

    package func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord? {
        try await fetch(className, objectIds: [objectId]).first { !$0.isDeleted }
    }

    /// The default, for a remote that is read without a session.
    package func showsUser() async throws(RemoteError) -> Bool { false }

    /// The default, for a remote that is read without a key that shows everything.
    package func requireFullAccess() async throws(RemoteError) {}

    /// The default, for a remote that never reports `dependsOnSettings`.
    package func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool {
        capabilities(of: className).chosenIds == .always
    }

    /// The default, for a remote that can store every object.
    package func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? { nil }

    /// The default, for a remote without connections of its own. Does nothing.
    package func close() {}
}
