import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel

/// A server of tables as the remote of a replica: Azure Mobile Apps or Community Datasync.
package struct DatasyncRemote: RemoteService {
    package let configuration: Configuration
    let exchange: TableExchange
    private let reads: TableReads
    private let writer: TableWriter
    let download: RemoteDownload
    var knowledge: TableKnowledge { exchange.knowledge }

    /// - Parameter transport: sends all requests. It must not retry writes or follow redirects.
    package init(configuration: Configuration, transport: any HTTPTransport) {
        self.configuration = configuration
        exchange = TableExchange(configuration, transport)
        reads = TableReads(exchange)
        writer = TableWriter(exchange)
        download = RemoteDownload(
            sources: configuration.fileSources, serverURL: configuration.serverURL, transport: transport,
            cleaner: exchange.reader.cleaner)
    }

    /// The capabilities of a class. Until the dialect of the server is known, these are the abilities that both
    /// dialects share.
    package func capabilities(of className: String) -> RemoteCapabilities {
        let rules = knowledge.expectedDialect?.rules
        return RemoteCapabilities(
            pageSize: rules?.pageSize ?? AzureDialect().pageSize,
            hasTombstones: knowledge.keepsTombstones(className), hasConditionalWrites: true, operationIds: .text,
            countsWithPages: false,
            hasCreationTimes: rules?.hasCreationTimes ?? true,
            chosenIds: .always, canUndelete: true, values: .scalars,
            operators: TableFilter.operators)
    }

    /// The maximum number of requests at a time. There is no batch request.
    package let batchMax = 4

    /// The server's time, from the `Date` header of an answer.
    package func serverTime() async throws(RemoteError) -> ParseDate {
        let response = try await exchange.response(to: exchange.requests.root())
        guard let time = ParseDate(dateOf: response) else {
            throw .faulty(status: response.status.code, reason: "the answer has no Date header")
        }
        return time
    }

    package func close() { exchange.transport.close() }

    package var files: (any RemoteFileService)? { self }
    package var schemas: (any RemoteSchemaService)? { self }
    package var probe: (any RemoteProbe)? { self }

    // MARK: Reads

    package func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage] {
        try await reads.pull(requests)
    }

    package func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage {
        try await reads.objectIds(of: query, created: range, after: last)
    }

    package func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]] {
        try await reads.allIds(of: query, created: ranges)
    }

    package func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?] {
        try await reads.counts(of: query, created: ranges)
    }

    package func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord] {
        try await reads.fetch(className, objectIds: objectIds)
    }

    package func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord] {
        try await reads.created(in: className, since: since)
    }

    // MARK: Writes

    package func push(_ operations: [PushOperation]) async -> [PushOutcome] { await writer.push(operations) }
}

/// Downloads files from the URLs in table rows. A tables server stores no files, so uploads fail.
extension DatasyncRemote: RemoteFileService {
    package func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference {
        throw .refused(code: ParseError.Code.fileSaveError.rawValue, message: "The remote's tables keep no files.")
    }

    package func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String? {
        try await download.download(url, into: sink)
    }
}

extension DatasyncRemote: RemoteSchemaService {
    /// The schemas of those classes whose tables the server describes. A text column has no type in a schema, because it may hold
    /// values of several Parse types.
    package func classSchemas(of classes: [String]) async throws(RemoteError) -> [ClassSchema]? {
        guard let description = await exchange.description(knowledge.dialect) else { return nil }
        knowledge.note(description)
        var schemas: [ClassSchema] = []
        for name in classes {
            let mapping = try await configuration.mapping(name)
            guard let columns = description.columns(at: mapping.path(of: name)) else { continue }
            let fields = columns.filter { Columns.isField($0.key) }.compactMapValues(\.fieldType)
            let types = fields.merging(mapping.fields) { $1 }
            schemas.append(ClassSchema(name, added: types.mapValues { SchemaField($0) }))
        }
        return schemas
    }
}
