import ParseModel
import RemoteService
import SyncModel
import TablesServer
import Testing

/// A remote under test, with helpers for the contract tests. They create rows only by pushes, so that they can test
/// any remote.
struct ContractSubject {
    let remote: any RemoteService
    let className: String
    /// Advances the server's clock if the test controls it; the clock of a real server advances on its own.
    let advance: (@Sendable () -> Void)?
    /// The same remote with wrong keys, which the server must refuse; nil if there is none.
    let withWrongKeys: (any RemoteService)?
    /// The same remote at an address that cannot be reached; nil if there is none.
    let unreachable: (any RemoteService)?
    /// Temporary directories that must live as long as this value.
    let resources: [TemporaryDirectory]
    /// The table server, if it must live as long as this value.
    var server: TablesServer?

    var capabilities: RemoteCapabilities { remote.capabilities(of: className) }
    var whole: PullQuery { PullQuery(className: className) }

    func acceptsChosenIds() async throws -> Bool {
        switch capabilities.chosenIds {
        case .always: true
        case .never: false
        case .dependsOnSettings: try await remote.acceptsChosenIds(in: className)
        }
    }

    /// Waits until the server stamps writes with a later time.
    func wait() async throws {
        if let advance { return advance() }
        let begin = try await stamp()
        for _ in 0..<1000 where try await stamp() > begin { return }
        Issue.record("the server's time stands still")
    }

    private func stamp() async throws -> ParseDate {
        let made = try await apply(operation(.create, "local", in: clockClass))
        return try #require(made.createdAt ?? made.updatedAt)
    }

    private var clockClass: String { className + "Clock" }
    var memberClass: String { className + "Member" }

    // MARK: Writes

    /// - Parameters:
    ///   - id: the object's id; for a create its local id.
    ///   - body: fields and operations, as in a request's body.
    ///   - base: the state that the write is based on.
    func operation(
        _ kind: PushOperation.Kind, _ id: String, _ body: JSONObject = [:], base: RemoteRecord? = nil,
        sendsObjectId: Bool = false, in className: String? = nil
    ) throws -> PushOperation {
        let name = className ?? self.className
        let operations = FieldOperations(
            stored: try body.reduce(into: JSONObject()) { $0[$1.key] = try Self.checked($1.value, of: name) })
        return PushOperation(
            kind: kind, className: name, objectId: id, operations: operations, sendsObjectId: sendsObjectId, base: base,
            merged: kind == .delete ? nil : try operations.apply(to: base?.fields ?? [:], className: name),
            wasAttempted: false, requestId: "request-\(id)-\(kind.rawValue)")
    }

    /// Converts a field's value to a stored operation. The field's name is not checked here, so that the remote must
    /// check it.
    private static func checked(_ value: JSONValue, of className: String) throws -> JSONValue {
        let operations = try FieldOperations(body: ["field": value], className: className)
        return try #require(operations.json["field"])
    }

    func push(_ operation: PushOperation) async throws -> PushOutcome {
        let outcomes = await remote.push([operation])
        try #require(outcomes.count == 1)
        return outcomes[0]
    }

    /// A push that must succeed.
    @discardableResult
    func apply(
        _ operation: PushOperation, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Acknowledgement {
        let outcome = try await push(operation)
        guard case .applied(let acknowledgement) = outcome else {
            throw try #require(nil as (any Error)?, "\(outcome)", sourceLocation: sourceLocation)
        }
        return acknowledgement
    }

    /// Creates an object. The remote chooses the id, unless it accepts the given one.
    @discardableResult
    func create(
        _ body: JSONObject, in className: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> RemoteRecord {
        let name = className ?? self.className
        let made = try await apply(
            operation(.create, "local", body, in: name), sourceLocation: sourceLocation)
        return try #require(
            try await remote.fetch(name, objectIds: [made.objectId]).first, sourceLocation: sourceLocation)
    }

    /// Creates objects whose field `n` counts from 1 to `count`, each at a later time than the one before.
    func createNumbered(_ count: Int) async throws -> [RemoteRecord] {
        var records: [RemoteRecord] = []
        for n in 1...count {
            records.append(try await create(["n": .int(n), "name": .string("row \(n)")]))
            try await wait()
        }
        return records
    }

    // MARK: Reads

    /// Reads an object by its id; nil if it is missing or only a tombstone is left.
    func present(_ id: String) async throws -> RemoteRecord? {
        try await remote.fetch(className, objectIds: [id]).first { !$0.isDeleted }
    }

    func pull(_ request: PullRequest) async throws -> PullPage {
        let pages = try await remote.pull([request])
        try #require(pages.count == 1)
        return pages[0]
    }

    /// Pulls page by page up to the last one.
    func pullAll(
        _ query: PullQuery? = nil, from cursor: PullCursor? = nil, lookBackTo: ParseDate? = nil, limit: Int? = nil
    ) async throws -> Pulled {
        var pulled = Pulled(cursor: cursor)
        var lookBackTo = lookBackTo
        while true {
            let page = try await pull(
                PullRequest(query ?? whole, cursor: pulled.cursor, lookBackTo: lookBackTo, limit: limit))
            lookBackTo = nil
            pulled.pages.append(page)
            pulled.cursor = page.cursor
            if page.isLast { return pulled }
            try #require(pulled.pages.count < 100, "the pull does not come to an end")
        }
    }

    /// All ids that match a query, in list order.
    func ids(of query: PullQuery, created range: CreatedRange = .all) async throws -> [String] {
        var stamps: [ObjectStamp] = []
        while true {
            let page = try await remote.objectIds(of: query, created: range, after: stamps.last?.objectId)
            stamps += page.stamps
            if page.isLast { return stamps.map(\.objectId) }
            try #require(stamps.count < 10_000, "the list does not come to an end")
        }
    }

    /// Deletes all objects that a test may have created.
    func empty() async throws {
        for name in [className, memberClass, clockClass] {
            for id in try await ids(of: PullQuery(className: name)) {
                try await apply(operation(.delete, id, in: name))
            }
        }
    }

    /// The rows, pages and cursor of a complete pull.
    struct Pulled {
        var pages: [PullPage] = []
        var cursor: PullCursor?

        var changes: [RemoteChange] { pages.flatMap(\.changes) }

        var records: [RemoteRecord] {
            changes.compactMap { if case .upsert(let record) = $0 { record } else { nil } }
        }

        var ids: [String] { records.map(\.objectId) }

        var deletedIds: [String] {
            changes.compactMap { if case .tombstone(_, let id) = $0 { id } else { nil } }
        }
    }
}
