import ParseModel
import SyncModel

/// A server that objects are kept in step with. The engine reads capabilities and outcomes, never a remote's name.
/// The contract in `Tests/GatewayTests/Contract` says in full what it expects; every implementation is held to it.
package protocol RemoteService: Sendable {
    /// What the remote can do, as far as it is known without asking it.
    var capabilities: RemoteCapabilities { get }

    /// The remote's clock, as an answer tells it; asked for where no other answer has.
    func serverTime() async throws(RemoteError) -> ParseDate

    /// One page of changes for each request, all asked for in one round trip where the remote allows it.
    /// - Returns: a page for each request, in order.
    /// - Throws: `RemoteError`; then nothing of any page is to be believed.
    func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage]

    /// The ids that exist remotely, a page in ascending order of the remote's own collation.
    /// - Parameter last: the last id of the page before, nil for the first page.
    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage

    /// All ids that a query finds in each range, in few round trips.
    func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]]

    /// How many objects a query finds in each range, in few round trips.
    /// - Returns: a count for each range, in order; nil where we may not count.
    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?]

    /// The ids of all members of each relation, in few round trips.
    func members(of relations: [RelationPull]) async throws(RemoteError) -> [[String]]

    /// One page of owners for each request, in few round trips: pairs of owner and member where a request names one member,
    /// and otherwise which objects have any.
    func owners(_ requests: [OwnersRequest]) async throws(RemoteError) -> [OwnersPage]

    /// The answer to a query of a local client, `{"results": […], "count": n}`, as the remote gives it.
    func query(_ className: String, parameters: JSONObject) async throws(RemoteError) -> JSONObject

    /// Those of the named objects that exist and may be read, and tombstones of those that are known to be deleted.
    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord]

    /// The rows of objects of several classes, in one round trip where the remote allows it.
    func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord]

    /// The object, asked for by its id alone; nil where the remote says that there is none.
    func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord?

    /// The objects created remotely at or after a server time, oldest first.
    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord]

    /// Whether a create may name its own objectId.
    /// - Parameter className: the class that the asking create is for.
    func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool

    /// Sends operations, none of which may depend on another.
    /// - Returns: an outcome for each operation, in order. What failed as a whole is told as the outcome of each.
    func push(_ operations: [PushOperation]) async -> [PushOutcome]

    /// Sends a file's content. Sent twice, it is there twice, under two names.
    /// - Returns: what objects that carry the file have to say.
    func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference

    /// Fetches a file's content from where the remote says that it is.
    /// - Returns: its content type, where the answer names one.
    /// - Throws: also where the content is not whole; then what `sink` was given is of no use. `.refused` with code 101:
    ///   there is no such file.
    func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String?

    /// What can be told of the remote and of our standing with it.
    func diagnose(classes: [String]) async -> RemoteDiagnosis
}

extension RemoteService {
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
}
