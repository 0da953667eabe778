import ParseModel
import SyncModel

/// A server that the sync engine synchronizes with the local store. Every remote implements this protocol. Relations, files,
/// schemas, forwarded calls and a diagnosis are optional, each with its own protocol.
///
/// The engine reads capabilities, offers and outcomes, and never the kind of the remote. The contract in
/// `Tests/GatewayTests/Contract` specifies the behaviour and tests each implementation.
package protocol RemoteService: Sendable {
    /// The capabilities of a class, as far as they are known without a request.
    func capabilities(of className: String) -> RemoteCapabilities

    /// The maximum number of operations in one push, and of requests in one pull; 1 without batches.
    var batchMax: Int { get }

    // MARK: Offers, each nil if the remote lacks it

    var relations: (any RemoteRelationService)? { get }
    var files: (any RemoteFileService)? { get }
    /// The schemas of the remote; nil also if the keys do not grant access to them.
    var schemas: (any RemoteSchemaService)? { get }
    var calls: (any RemoteCallService)? { get }
    var probe: (any RemoteProbe)? { get }

    // MARK: Reads

    /// The remote's clock. The engine calls this if no other answer contained the time.
    func serverTime() async throws(RemoteError) -> ParseDate

    /// One page of changes for each request, in one round trip if possible.
    /// - Returns: a page for each request, in order.
    /// - Throws: `RemoteError`. No page may be used then.
    func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage]

    /// A page of the ids that exist remotely, in ascending order of the remote's own collation.
    /// - Parameter last: the last id of the previous page; nil for the first page.
    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage

    /// All ids that match the query in each range, in few round trips.
    func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]]

    /// The number of objects that match the query in each range, in few round trips.
    /// - Returns: a count for each range, in order; nil if the remote forbids counting.
    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?]

    /// Those of the objects that exist and are readable, and tombstones of known deletions.
    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord]

    /// The rows of objects of several classes, in one round trip if possible.
    func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord]

    /// The object, read by its id alone; nil if the remote reports that it does not exist.
    func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord?

    /// The objects created remotely at or after a server time, oldest first.
    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord]

    // MARK: Writes

    /// Whether a create may name its own objectId. Called if the capabilities leave this open.
    /// - Parameter className: the class of the create.
    func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool

    /// Sends operations that do not depend on each other.
    /// - Returns: an outcome for each operation, in order. A failure of the whole request is the outcome of each.
    func push(_ operations: [PushOperation]) async -> [PushOutcome]

    /// Closes all connections. No request follows.
    func close()
}

extension RemoteService {
    package var relations: (any RemoteRelationService)? { nil }
    package var files: (any RemoteFileService)? { nil }
    package var schemas: (any RemoteSchemaService)? { nil }
    package var calls: (any RemoteCallService)? { nil }
    package var probe: (any RemoteProbe)? { nil }

    package func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord] {
        var records: [RemoteRecord] = []
        for (className, objects) in Dictionary(grouping: objects, by: \.className).sorted(by: { $0.key < $1.key }) {
            records += try await fetch(className, objectIds: objects.map(\.objectId))
        }
        return records
    }

    package func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord? {
        try await fetch(className, objectIds: [objectId]).first { !$0.isDeleted }
    }

    /// The default for a remote whose capabilities decide for each class.
    package func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool {
        capabilities(of: className).chosenIds == .always
    }

    /// The default for a remote without connections.
    package func close() {}
}
