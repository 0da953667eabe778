import ParseModel
import SyncModel

/// A server that the sync engine keeps in step with the local store. Every remote implements this protocol. Relations, files,
/// schemas, forwarded calls and a diagnosis are optional: each has a protocol of its own.
///
/// The engine reads capabilities, offers and outcomes, and never asks for the kind of the remote. The contract in
/// `Tests/GatewayTests/Contract` specifies the behaviour and tests each implementation.
package protocol RemoteService: Sendable {
    /// The capabilities of a class, as far as they are known without a request.
    func capabilities(of className: String) -> RemoteCapabilities

    /// The most operations of one push, and the most requests of one pull; 1 if there are no batches.
    var batchMax: Int { get }

    // MARK: Offers, each nil if the remote lacks it

    var relations: (any RemoteRelationService)? { get }
    var files: (any RemoteFileService)? { get }
    /// Also nil if the keys do not show the schemas.
    var schemas: (any RemoteSchemaService)? { get }
    var calls: (any RemoteCallService)? { get }
    var probe: (any RemoteProbe)? { get }

    // MARK: Reads

    /// The remote's clock. The engine asks for it if no other answer has told it.
    func serverTime() async throws(RemoteError) -> ParseDate

    /// One page of changes for each request, in one round trip if the remote allows that.
    /// - Returns: a page for each request, in order.
    /// - Throws: `RemoteError`. Then no page may be used.
    func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage]

    /// The ids that exist remotely, a page in ascending order of the remote's own collation.
    /// - Parameter last: the last id of the page before; nil for the first page.
    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage

    /// All ids that match the query in each range, in few round trips.
    func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]]

    /// How many objects a query finds in each range, in few round trips.
    /// - Returns: a count for each range, in order; nil if the remote forbids counting.
    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?]

    /// The named objects that exist and may be read, and tombstones of those that are known to be deleted.
    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord]

    /// The rows of objects of several classes, in one round trip if the remote allows that.
    func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord]

    /// The object, read by its id alone; nil if the remote answers that it does not exist.
    func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord?

    /// The objects created remotely at or after a server time, oldest first.
    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord]

    // MARK: Writes

    /// Whether a create may name its own objectId. The engine asks if the capabilities leave that open.
    /// - Parameter className: the class of the create in question.
    func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool

    /// Sends operations that do not depend on each other.
    /// - Returns: an outcome for each operation, in order. A failure as a whole is the outcome of each.
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

    /// For a remote whose capabilities tell it for each class.
    package func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool {
        capabilities(of: className).chosenIds == .always
    }

    /// For a remote without connections of its own.
    package func close() {}
}
