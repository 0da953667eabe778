import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import LocalStore
import Logging
import ParseModel
import StoreService
import StoreSupport
import SyncModel

@testable import Gateway
@testable import SyncEngine

/// A standalone gateway without a socket, the remote of the replicas in tests.
struct Hub {
    let store: LocalStore
    let api: GatewayAPI
    private let parts: APIParts

    init(
        _ directory: TemporaryDirectory, clock: TestClock, pageMax: Int = 1000, allowsChosenIds: Bool = false,
        accessKey: String? = nil, keys: ClientKeys = .init(), answerBytesMax: Int = 64 << 20,
        keepsStampsInOrder: Bool = true, takesOver: Bool = false, dialect: ParseDialect = .nine,
        liveResume: Duration = .seconds(3600), routeAllowList: [String]? = nil, environment: Environment? = nil,
        limiting limit: (inout RequestLimits) -> Void = { _ in }
    ) throws {
        let environment = environment ?? clock.environment
        var configuration = StoreConfiguration(directory: directory.path, identity: StoreIdentity(remote: nil))
        configuration.allowsChosenIds = allowsChosenIds
        configuration.synchronous = .normal
        configuration.takesOver = takesOver
        configuration.keepsStampsInOrder = keepsStampsInOrder
        store = try LocalStore(configuration, environment: environment)
        var limits = RequestLimits()
        limits.pageMax = pageMax
        limits.answerBytesMax = answerBytesMax
        limit(&limits)
        var settings = APIConfiguration(
            mode: .standalone, version: "test", accessKey: accessKey, keys: keys, limits: limits)
        settings.dialect = dialect
        settings.liveResume = liveResume
        settings.routeAllowList = routeAllowList
        settings.denialDetails = .shownOnThisMachine
        settings.accounts.passwordStrength = .weakest
        parts = APIParts(
            store: store.objects, configuration: settings, environment: environment, logger: .quiet)
        api = Standalone.api(parts, accounts: store.accounts)
    }

    /// An API on the same store that knows nothing of the connections of `api`, as after a crash.
    func restartedAPI() -> GatewayAPI { Standalone.api(parts, accounts: store.accounts) }
}

extension Logger {
    static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension GatewayStore {
    /// Performs a write of a client of this gateway.
    @discardableResult
    func write(_ request: WriteRequest) async throws -> WriteReceipt {
        try await perform([request], atomically: false)[0].get()
    }

    @discardableResult
    func create(_ className: String, _ body: JSONObject) async throws -> String {
        try await write(.create(className: className, body: body)).objectId
    }

    func update(_ className: String, _ objectId: String, _ body: JSONObject) async throws {
        try await write(.update(className: className, objectId: objectId, body: body))
    }

    func delete(_ className: String, _ objectId: String) async throws {
        try await write(.delete(className: className, objectId: objectId))
    }

    /// The fields of an object; nil if it does not exist.
    func fields(_ className: String, _ objectId: String) throws -> JSONObject? {
        try object(className, objectId).flatMap { try JSONReader.read($0.json).object }.map {
            var fields = $0
            fields.removeAll { ["objectId", "createdAt", "updatedAt"].contains($0) }
            return fields
        }
    }

    /// All objects of a class by id, as the API returns them.
    func all(_ className: String) throws -> [String: JSONObject] {
        let found = try find(className, ParseQuery(limit: 100_000))
        return Dictionary(
            uniqueKeysWithValues: try found.objects.map { ($0.objectId, try JSONReader.read($0.json).object ?? [:]) })
    }

    func state(_ className: String, _ objectId: String) throws -> SyncState? { try object(className, objectId)?.state }
}
