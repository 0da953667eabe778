import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel

extension StoreIdentity {
    static let standalone = StoreIdentity(remote: nil)
    static let replica = StoreIdentity(remote: Remote(url: "http://localhost:1337/parse", applicationId: "app"))
}

extension LocalStore {
    /// Opens a store. The directory lives at least as long as the store does.
    static func make(
        _ identity: StoreIdentity = .standalone, in directory: TemporaryDirectory? = nil, path: String? = nil,
        clock: TestClock = TestClock(), _ change: (inout StoreConfiguration) -> Void = { _ in }
    ) throws -> LocalStore {
        let directory = try directory ?? TemporaryDirectory()
        var configuration = StoreConfiguration(directory: path ?? directory.path, identity: identity)
        configuration.synchronous = .normal
        change(&configuration)
        configuration.onLocalWrite = { [heard = configuration.onLocalWrite] in
            _ = directory
            heard()
        }
        return try LocalStore(configuration, environment: clock.environment)
    }

    // MARK: Local clients

    @discardableResult
    func write(_ request: WriteRequest) async throws -> WriteReceipt {
        try await perform([request], atomically: false)[0].get()
    }

    @discardableResult
    func create(_ body: JSONObject, of className: String = "Holiday") async throws -> String {
        try await write(.create(className: className, body: body)).objectId
    }

    @discardableResult
    func update(_ objectId: String, _ body: JSONObject, of className: String = "Holiday") async throws -> WriteReceipt {
        try await write(.update(className: className, objectId: objectId, body: body))
    }

    func delete(_ objectId: String, of className: String = "Holiday") async throws {
        try await write(.delete(className: className, objectId: objectId))
    }

    /// The whole object as the API returns it; nil if there is no such object.
    func json(_ objectId: String, of className: String = "Holiday") throws -> JSONObject? {
        try object(className, objectId).flatMap { try JSONReader.read($0.json).object }
    }

    func fields(_ objectId: String, of className: String = "Holiday") throws -> JSONObject? {
        try json(objectId, of: className).map {
            var fields = $0
            fields.removeAll { ["objectId", "createdAt", "updatedAt"].contains($0) }
            return fields
        }
    }

    func state(_ objectId: String, of className: String = "Holiday") throws -> SyncState? {
        try object(className, objectId)?.state
    }

    /// The ids of the objects that a query finds, in its order.
    func ids(_ parameters: JSONObject = [:], of className: String = "Holiday") throws -> [String] {
        try find(className, ParseQuery(parameters: parameters)).objects.map(\.objectId)
    }

    /// All pending and rejected steps of an object, in their order, each as `kind operations`.
    func steps(of objectId: String) throws -> [String] {
        try (pendingChanges() + rejections()).filter { $0.objectId == objectId }.sorted { $0.id < $1.id }
            .map { "\($0.step.kind) \($0.step.operations.json.jsonText)" }
    }

    // MARK: The sync engine

    static let serverTime = ParseDate(milliseconds: 1_700_000_500_000)

    /// Applies pulled rows of one class, as a sync does.
    @discardableResult
    func pull(_ records: [RemoteRecord], gone: [String] = []) async throws -> PullTally {
        try await sync.apply(records, gone: gone, of: records.first?.className ?? "Holiday")
    }

    /// Marks the first pending change of an object as sent, and stores an outcome for it.
    @discardableResult
    func push(_ objectId: String, _ settlement: Settlement) async throws -> OutboxEntry {
        let entry = try await sync.freeze(objectId)
        try await sync.settle([(entry, settlement)])
        return entry
    }
}

extension SyncStore {
    func baseCount(of className: String) async throws -> Int {
        try await baseCount(of: .allObjects(of: className))
    }

    func baseIds(of className: String) async throws -> (seen: Set<String>, hidden: Set<String>) {
        try await baseIds(of: .allObjects(of: className), created: .all)
    }

    /// Marks the first pending change of an object as in flight.
    @discardableResult
    func freeze(_ objectId: String) async throws -> OutboxEntry {
        let waiting = try await outbox(limit: 1000).filter { $0.objectId == objectId }
        guard let frozen = try await freeze(waiting, at: LocalStore.serverTime).first else {
            throw StoreError.notFound(what: "pending step of \(objectId)")
        }
        return frozen
    }
}

extension RemoteRecord {
    static func make(
        _ objectId: String, _ fields: JSONObject, of className: String = "Holiday", createdMs: Int64 = 1000,
        updatedMs: Int64 = 2000
    ) -> RemoteRecord {
        RemoteRecord(
            className: className, objectId: objectId, createdAt: ParseDate(milliseconds: createdMs),
            updatedAt: ParseDate(milliseconds: updatedMs), fields: fields)
    }
}

extension Settlement {
    /// The outcome of a request that the remote has executed, with the values that the remote returned.
    static func applied(
        _ objectId: String, createdMs: Int64? = nil, updatedMs: Int64? = nil, echoed: JSONObject = [:]
    ) -> Settlement {
        .acknowledged(
            Acknowledgement(
                objectId: objectId, createdAt: createdMs.map(ParseDate.init(milliseconds:)),
                updatedAt: updatedMs.map(ParseDate.init(milliseconds:)), echoed: echoed))
    }
}

extension JSONValue {
    static func op(_ name: String, _ objects: JSONValue...) -> JSONValue {
        ["__op": .string(name), "objects": .array(objects)]
    }

    static func increment(_ amount: Int) -> JSONValue { ["__op": "Increment", "amount": .int(amount)] }
}
