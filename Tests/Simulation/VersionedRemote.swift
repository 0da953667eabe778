import ParseModel
import RemoteService
import SyncModel

/// The server as a remote with row versions, conditional writes and, in some runs, tombstones. Its requests pass
/// through the replica's faulty network.
final class VersionedRemote: RemoteService {
    let batchMax = 1
    private let capabilities: RemoteCapabilities
    private let server: SimulatedServer
    private let transport: FaultyTransport
    private let name: String
    private let keepsTombstones: Bool

    init(of server: SimulatedServer, over transport: FaultyTransport, name: String, keepsTombstones: Bool) {
        self.keepsTombstones = keepsTombstones
        self.server = server
        self.transport = transport
        self.name = name
        capabilities = RemoteCapabilities(
            pageSize: server.settings.pageMax, hasTombstones: keepsTombstones, hasConditionalWrites: true,
            operationIds: .none, chosenIds: .always, canUndelete: keepsTombstones)
    }

    func capabilities(of className: String) -> RemoteCapabilities { capabilities }

    // MARK: Reads

    private func read<Value>(
        _ what: String, _ body: ([RemoteRecord]) throws(RemoteError) -> Value, of className: String
    ) async throws(RemoteError) -> Value {
        try await transport.read("\(what) \(className)")
        let rows = server.rows(of: className).filter { keepsTombstones || !$0.isDeleted }
        let results = JSONValue.array(rows.filter { !$0.isDeleted }.map { ["objectId": .string($0.objectId)] })
        server.history.withLock { $0.noteRead(of: name, at: ["results": results]) }
        return try body(rows)
    }

    private func live(_ query: PullQuery, _ rows: [RemoteRecord], _ range: CreatedRange = .all) -> [RemoteRecord] {
        rows.filter { row in
            !row.isDeleted && range.from.map { $0 <= row.createdAt } ?? true
                && range.to.map { row.createdAt < $0 } ?? true && query.matches(row)
        }
    }

    func serverTime() async throws(RemoteError) -> ParseDate {
        try await transport.read("time")
        return now
    }

    /// The server's time in whole seconds, as in an HTTP `Date` header.
    private var now: ParseDate { ParseDate(milliseconds: server.nowMs / 1000 * 1000) }

    func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage] {
        var pages: [PullPage] = []
        for request in requests {
            pages.append(
                try await read("pull", { rows in page(request, rows) }, of: request.className))
        }
        return pages
    }

    private func page(_ request: PullRequest, _ rows: [RemoteRecord]) -> PullPage {
        var start = RowPosition(request.cursor)
        if let time = request.lookBackTo, let begin = start, time <= begin.time { start = RowPosition(time: time) }
        let found = rows.filter { row in
            (start.map { $0.isBefore(row) } ?? true) && (row.isDeleted || request.query.matches(row))
        }
        let page = found.prefix(min(capabilities.pageSize, max(1, request.limit ?? .max)))
        let isLast = page.last.map { last in request.until.map { last.updatedAt > $0 + .seconds(1) } ?? false } ?? true
        return PullPage(
            changes: page.map {
                $0.isDeleted
                    ? .tombstone(className: $0.className, objectId: $0.objectId) : .upsert(request.query.selected($0))
            }, cursor: page.last.map { RowPosition($0).cursor } ?? request.cursor, isLast: isLast,
            count: request.wantsCount ? live(request.counted, rows).count : nil, serverTime: now)
    }

    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage {
        try await read(
            "objectIds",
            { rows in
                let found = live(query, rows, range).sorted { $0.objectId < $1.objectId }
                let page = found.filter { row in last.map { $0 < row.objectId } ?? true }.prefix(capabilities.pageSize)
                return ObjectStampPage(
                    stamps: page.map { ObjectStamp(objectId: $0.objectId, updatedAt: $0.updatedAt) },
                    isLast: page.isEmpty)
            }, of: query.className)
    }

    func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]] {
        try await read("allIds", { rows in ranges.map { live(query, rows, $0).map(\.objectId) } }, of: query.className)
    }

    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?] {
        try await read("counts", { rows in ranges.map { live(query, rows, $0).count } }, of: query.className)
    }

    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord] {
        let wanted = Set(objectIds)
        return try await read("fetch", { rows in rows.filter { wanted.contains($0.objectId) } }, of: className)
    }

    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord] {
        try await read(
            "created",
            { rows in
                live(PullQuery(className: className), rows, CreatedRange(from: since))
                    .sorted { ($0.createdAt, $0.objectId) < ($1.createdAt, $1.objectId) }
            }, of: className)
    }

    // MARK: Writes

    func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        var outcomes: [PushOutcome] = []
        for operation in operations {
            outcomes.append(
                await transport.write("push \(operation.kind.rawValue) \(operation.className)/\(operation.objectId)") {
                    [server, keepsTombstones] sender in
                    await server.execute(operation, by: sender, keepsTombstones: keepsTombstones)
                })
        }
        return outcomes
    }
}

extension PullQuery {
    /// Whether the row meets the conditions of the pull. Pulls in the simulation use only `$exists`.
    fileprivate func matches(_ row: RemoteRecord) -> Bool {
        conditions.allSatisfy { field, condition in condition.object?["$exists"]?.bool == (row.fields[field] != nil) }
    }

    /// The row reduced to the `keys` of the pull; the complete row if the pull has no `keys`.
    fileprivate func selected(_ row: RemoteRecord) -> RemoteRecord {
        guard let keys else { return row }
        var fields = row.fields
        fields.removeAll { !keys.contains($0) }
        return RemoteRecord(
            className: row.className, objectId: row.objectId, createdAt: row.createdAt, updatedAt: row.updatedAt,
            fields: fields, version: row.version)
    }
}
