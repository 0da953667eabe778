import Logging
import ParseModel
import RemoteService
import StoreService

/// Updates the store's copy of the remote's schemas, in the background. Clients' requests do not wait for an update.
actor RemoteSchemas {
    private let service: any RemoteSchemaService
    private let store: any GatewayStore
    private let environment: Environment
    private let logger: Logger
    /// Whether users wait for the permissions of a class that the remote has not described yet, as in a site replica.
    private let closesUnknownClasses: Bool
    private var askedAt: Duration?

    /// The time after which the schemas are fetched again.
    static let ageMax = Duration.seconds(300)

    init(
        _ service: any RemoteSchemaService, store: any GatewayStore, closesUnknownClasses: Bool = false,
        environment: Environment, logger: Logger
    ) {
        self.closesUnknownClasses = closesUnknownClasses
        self.service = service
        self.store = store
        self.environment = environment
        self.logger = logger
    }

    /// Lets the next `bringUpToDate` fetch the schemas without waiting for `ageMax`.
    func forget() { askedAt = nil }

    /// Fetches the schemas at the first call, and at the first call after `forget`. Otherwise fetches them if the last attempt is
    /// at least `ageMax` ago, or if users wait for the description of a class. Where users wait, a failed attempt is repeated at the
    /// next call. Called after each sync that has finished without an error.
    func bringUpToDate() async {
        let now = environment.uptime()
        guard askedAt.map({ now - $0 >= Self.ageMax }) ?? true else { return }
        askedAt = now
        do {
            let classes = try await store.sync(as: .gateway).syncClasses().map(\.name)
            guard let schemas = try await service.classSchemas(of: classes) else { return }
            if closesUnknownClasses, !Set(classes).isSubset(of: schemas.map(\.className)) { askedAt = nil }
            try await store.takeRemoteSchemas(schemas)
        } catch {
            // Without the schemas, no user of a site replica can work.
            if closesUnknownClasses { askedAt = nil }
            logger.notice(
                "cannot read the remote's schemas: writes are checked against the last known schemas, or by the remote: \(error)"
            )
        }
    }
}
