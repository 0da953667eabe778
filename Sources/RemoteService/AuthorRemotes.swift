import ParseModel
import SyncModel

/// Gives each author of changes in a site replica a `RemoteService` that writes under the author's rights.
package protocol AuthorRemotes: Sendable {
    /// The remote for writes under the rights of an author. Reads are made under the rights of the gateway.
    /// - Returns: nil while the author has no session that the remote may accept. The author's changes then wait.
    func remote(of author: SyncAuthor) async -> (any RemoteService)?
}

/// A remote that writes under the rights of an author and reads under those of the gateway: a decision about a write
/// may depend on objects that only the gateway may see.
package struct AuthorRemote: RemoteService {
    private let reading: any RemoteService
    private let writing: any RemoteService
    private let onSent: @Sendable () -> Void
    private let refusal: @Sendable (PushOperation) -> PushOutcome?

    /// - Parameters:
    ///   - onSent: called for each change that was sent. If a change met a newer row and is sent again, it is called
    ///     again.
    ///   - refusal: the outcome of a change that must not be sent; nil to send it.
    package init(
        reading: any RemoteService, writing: any RemoteService, onSent: @escaping @Sendable () -> Void = {},
        refusal: @escaping @Sendable (PushOperation) -> PushOutcome? = { _ in nil }
    ) {
        self.reading = reading
        self.writing = writing
        self.onSent = onSent
        self.refusal = refusal
    }

    package func capabilities(of className: String) -> RemoteCapabilities { reading.capabilities(of: className) }
    package var batchMax: Int { reading.batchMax }
    package var batchesMax: Int { reading.batchesMax }
    package var relations: (any RemoteRelationService)? { reading.relations }
    package var files: (any RemoteFileService)? { writing.files }
    package var schemas: (any RemoteSchemaService)? { reading.schemas }
    package var calls: (any RemoteCallService)? { reading.calls }
    package var probe: (any RemoteProbe)? { reading.probe }
    package var deletions: (any RemoteDeletionFeed)? { reading.deletions }
    package var changeSignals: (any RemoteChangeSignals)? { reading.changeSignals }
    package var sessions: (any RemoteSessionService)? { reading.sessions }

    package func serverTime() async throws(RemoteError) -> ParseDate { try await reading.serverTime() }

    package func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage] {
        try await reading.pull(requests)
    }

    package func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage {
        try await reading.objectIds(of: query, created: range, after: last)
    }

    package func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]] {
        try await reading.allIds(of: query, created: ranges)
    }

    package func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?] {
        try await reading.counts(of: query, created: ranges)
    }

    package func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord] {
        try await reading.fetch(className, objectIds: objectIds)
    }

    package func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord] {
        try await reading.fetch(objects)
    }

    package func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord? {
        try await reading.object(className, objectId)
    }

    package func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord] {
        try await reading.created(in: className, since: since)
    }

    package func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? {
        reading.refusal(of: fields, in: className, mapping: mapping)
    }

    package func named(_ file: FileReference) -> FileReference { reading.named(file) }

    package func showsUser() async throws(RemoteError) -> Bool { try await reading.showsUser() }
    package func requireFullAccess() async throws(RemoteError) { try await reading.requireFullAccess() }

    package func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool {
        try await reading.acceptsChosenIds(in: className)
    }

    package func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        let refusals = operations.map(refusal)
        let sent = zip(operations, refusals).filter { $1 == nil }.map(\.0)
        let outcomes = sent.isEmpty ? [] : await writing.push(sent)
        for outcome in outcomes {
            switch outcome {
            case .retry, .unauthorized, .classUnauthorized, .conflict: break
            case .applied, .duplicate, .gone, .refused, .refusedForNow, .unknown: onSent()
            }
        }
        var rest = outcomes[...]
        return refusals.map { $0 ?? rest.popFirst() ?? .unknown(reason: "an empty answer") }
    }
}
