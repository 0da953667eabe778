import Logging
import ParseModel
import RemoteService
import StoreService

/// A local copy of the remote's schemas, updated in the background. Requests neither wait for an update nor fail without a copy.
actor RemoteSchemas {
    private let service: any RemoteSchemaService
    private let store: any ClassRegistry
    private let environment: Environment
    private let logger: Logger
    private var askedAt: Duration?

    /// The age from which the local copy is fetched again.
    static let ageMax = Duration.seconds(300)

    init(_ service: any RemoteSchemaService, store: any ClassRegistry, environment: Environment, logger: Logger) {
        self.service = service
        self.store = store
        self.environment = environment
        self.logger = logger
    }

    /// Marks the local copy as outdated. `bringUpToDate` then fetches the schemas without waiting for `ageMax`.
    func forget() { askedAt = nil }

    /// Fetches the schemas, unless the last attempt is less than `ageMax` ago. The first call after `forget` always fetches them.
    /// Called after each sync that has finished without an error.
    func bringUpToDate() async {
        let now = environment.uptime()
        guard askedAt.map({ now - $0 >= Self.ageMax }) ?? true else { return }
        askedAt = now
        do {
            try await store.takeRemoteSchemas(service.classSchemas())
        } catch {
            logger.notice(
                "cannot read the remote's schemas: writes are checked against the last known schemas, or by the remote: \(error)"
            )
        }
    }
}
