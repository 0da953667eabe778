import ParseModel
import RemoteService
import Simulation
import SyncModel
import Synchronization

@testable import Gateway

/// An in-memory remote with tables like those of Azure Mobile Apps: opaque row versions, conditional writes of partial
/// rows, tombstones, and no batches.
final class TableRemote: RemoteService {
    enum Fault: Sendable { case replyLost, requestLost, refused, unauthorized }

    let batchMax = 1
    private let capabilities: RemoteCapabilities
    /// The capabilities of single classes that differ from those of all others.
    private let differing: [String: RemoteCapabilities]
    private let state = Mutex(TableRows())
    private let log = Mutex<[String]>([])
    private let faults = Mutex<[PushOperation.Kind: Fault]>([:])
    private let afterPush = Mutex<@Sendable () -> Void>({})
    private let clock: TestClock
    private let tellsVersions: Bool
    private let isLocked: Bool
    private let cut = Mutex(false)
    private let mapping: RemoteSetup.Mapping

    /// - Parameters:
    ///   - pageMax: the largest number of rows that the server returns at once.
    ///   - tellsVersions: whether the answer to a write contains the new version; reads always do.
    ///   - isLocked: whether the server refuses every request, as for a wrong key.
    ///   - mapping: as in `RemoteSetup`.
    ///   - differ: changes the capabilities of single tables, by class.
    init(
        clock: TestClock, pageMax: Int = 50, tellsVersions: Bool = true, isLocked: Bool = false,
        mapping: @escaping RemoteSetup.Mapping = { _ in ClassMapping() },
        differing differ: [String: (inout RemoteCapabilities) -> Void] = [:]
    ) {
        self.clock = clock
        self.tellsVersions = tellsVersions
        self.isLocked = isLocked
        self.mapping = mapping
        let capabilities = RemoteCapabilities(
            pageSize: pageMax, hasTombstones: true, hasConditionalWrites: true, operationIds: .none,
            chosenIds: .always, canUndelete: true, values: .scalars, operators: PullQuery.tableOperators)
        self.capabilities = capabilities
        differing = differ.mapValues { change in
            var changed = capabilities
            change(&changed)
            return changed
        }
    }

    func capabilities(of className: String) -> RemoteCapabilities { differing[className] ?? capabilities }

    // MARK: Access for tests

    /// The kinds of the received requests, in order: `pull`, possibly with a limit, `objectIds`, `counts`, `fetch`, or
    /// `push` and the kind of operation.
    var requests: [String] { log.withLock { $0 } }
    func forgetRequests() { log.withLock { $0 = [] } }

    /// Applies the fault to the next operation of this kind, once.
    func once(_ fault: Fault, _ kind: PushOperation.Kind) { faults.withLock { $0[kind] = fault } }

    /// Runs an action of another client immediately after each pushed operation has arrived.
    func afterEachPush(_ body: @escaping @Sendable () -> Void) { afterPush.withLock { $0 = body } }

    /// Whether every read fails, as if the connection were cut.
    var isCut: Bool {
        get { cut.withLock { $0 } }
        set { cut.withLock { $0 = newValue } }
    }

    /// Writes a row as another client of the server.
    func put(_ className: String, _ objectId: String, _ fields: JSONObject) {
        _ = write { $0.put(className, objectId, fields, at: $1) }
    }

    /// Deletes a row as another client of the server.
    func delete(_ className: String, _ objectId: String) {
        write { rows, now in
            guard let row = rows[className, objectId] else { return }
            rows.put(className, objectId, row.fields, at: now, isDeleted: true)
        }
    }

    /// The row on the server, or its tombstone.
    func row(_ className: String, _ objectId: String) -> RemoteRecord? { state.withLock { $0[className, objectId] } }

    /// The fields of a row that is not deleted.
    func fields(_ className: String, _ objectId: String) -> JSONObject? {
        row(className, objectId).flatMap { $0.isDeleted ? nil : $0.fields }
    }

    /// The fields of all rows that are not deleted, by id.
    func live(_ className: String) -> [String: JSONObject] {
        let rows = state.withLock { $0.rows(of: className) }.filter { !$0.isDeleted }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.objectId, $0.fields) })
    }

    private func write<Value: Sendable>(_ body: (inout TableRows, ParseDate) -> Value) -> Value {
        let now = clock.environment.now()
        return state.withLock { body(&$0, now) }
    }

    // MARK: Reads

    private func read<Value>(
        _ request: String, _ body: (TableRows) throws(RemoteError) -> Value
    ) throws(RemoteError) -> Value {
        log.withLock { $0.append(request) }
        if isCut { throw .unreachable(reason: "no route") }
        if isLocked { throw .unauthorized(message: "bad token") }
        return try body(state.withLock { $0 })
    }

    func serverTime() async throws(RemoteError) -> ParseDate {
        try read("serverTime") { _ in ParseDate(milliseconds: clock.environment.now().milliseconds / 1000 * 1000) }
    }

    func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage] {
        var mappings: [ClassMapping] = []
        for request in requests { mappings.append(try await mapping(request.className)) }
        return try read("pull" + (requests.first?.limit.map { " \($0)" } ?? "")) { rows throws(RemoteError) in
            var pages: [PullPage] = []
            for (request, mapping) in zip(requests, mappings) { pages.append(try page(request, mapping, rows)) }
            return pages
        }
    }

    private func page(
        _ request: PullRequest, _ mapping: ClassMapping, _ rows: TableRows
    ) throws(RemoteError) -> PullPage {
        var start = RowPosition(request.cursor)
        if let time = request.lookBackTo, let begin = start, time <= begin.time { start = RowPosition(time: time) }
        var found: [RemoteRecord] = []
        let showsTombstones = capabilities(of: request.className).hasTombstones
        for row in rows.rows(of: request.className) where start.map({ $0.isBefore(row) }) ?? true {
            if row.isDeleted, !showsTombstones { continue }
            if try request.query.finds(row) { found.append(request.query.selected(row)) }
        }
        let page = found.prefix(min(capabilities.pageSize, max(1, request.limit ?? .max)))
        let isLast = page.last.map { last in request.until.map { last.updatedAt > $0 + .seconds(1) } ?? false } ?? true
        return PullPage(
            changes: page.map {
                $0.isDeleted ? .tombstone(className: $0.className, objectId: $0.objectId) : .upsert(mapping.typed($0))
            }, cursor: page.last.map { RowPosition($0).cursor } ?? request.cursor,
            isLast: isLast, count: request.wantsCount ? try rows.live(request.query).count : nil,
            serverTime: ParseDate(milliseconds: clock.environment.now().milliseconds / 1000 * 1000))
    }

    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage {
        try read("objectIds") { rows throws(RemoteError) in
            let found = try rows.live(query, created: range).sorted { $0.objectId < $1.objectId }
            let page = found.filter { row in last.map { $0 < row.objectId } ?? true }.prefix(capabilities.pageSize)
            return ObjectStampPage(
                stamps: page.map { ObjectStamp(objectId: $0.objectId, updatedAt: $0.updatedAt) }, isLast: page.isEmpty)
        }
    }

    func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]] {
        try read("allIds") { rows throws(RemoteError) in
            var ids: [[String]] = []
            for range in ranges { ids.append(try rows.live(query, created: range).map(\.objectId)) }
            return ids
        }
    }

    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?] {
        try read("counts") { rows throws(RemoteError) in
            var counts: [Int?] = []
            for range in ranges { counts.append(try rows.live(query, created: range).count) }
            return counts
        }
    }

    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord] {
        let showsTombstones = capabilities(of: className).hasTombstones
        let mapping = try await mapping(className)
        return try read("fetch") { rows in
            objectIds.compactMap { rows[className, $0] }.filter { showsTombstones || !$0.isDeleted }.map(mapping.typed)
        }
    }

    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord] {
        try read("created") { rows throws(RemoteError) in
            let found = try rows.live(PullQuery(className: className), created: CreatedRange(from: since))
            return found.sorted { ($0.createdAt, $0.objectId) < ($1.createdAt, $1.objectId) }
        }
    }

    // MARK: Writes

    func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        var outcomes: [PushOutcome] = []
        for operation in operations {
            guard let mapping = try? await mapping(operation.className) else {
                outcomes.append(.retry(after: nil, reason: "no mapping"))
                continue
            }
            outcomes.append(mapping.typed(outcome(of: operation)))
        }
        return outcomes
    }

    private func outcome(of operation: PushOperation) -> PushOutcome {
        log.withLock { $0.append("push \(operation.kind.rawValue)") }
        switch isLocked ? .unauthorized : faults.withLock({ $0.removeValue(forKey: operation.kind) }) {
        case .refused?: return .retry(after: nil, reason: "connection refused")
        case .unauthorized?: return .unauthorized(message: "bad token")
        case .requestLost?: return .unknown(reason: "time-out")
        case .replyLost?:
            _ = carryOut(operation)
            return .unknown(reason: "connection reset")
        case nil: return carryOut(operation)
        }
    }

    private func carryOut(_ operation: PushOperation) -> PushOutcome {
        let outcome = write { rows, now in rows.carryOut(operation, at: now) }
        afterPush.withLock { $0 }()
        guard case .applied(let said) = outcome, !tellsVersions else { return outcome }
        return .applied(
            Acknowledgement(
                objectId: said.objectId, createdAt: said.createdAt, updatedAt: said.updatedAt, echoed: said.echoed))
    }
}
