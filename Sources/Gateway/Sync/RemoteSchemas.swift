import Logging
import ParseModel
import RemoteService
import StoreService

/// Fetches the remote's schemas now and then. Nothing waits for them, and no request fails without them.
actor RemoteSchemas {
    private let service: any RemoteSchemaService
    private let store: any ClassRegistry
    private let environment: Environment
    private let logger: Logger
    private var askedAt: Duration?

    /// How old what is known may become.
    static let ageMax = Duration.seconds(300)

    init(_ service: any RemoteSchemaService, store: any ClassRegistry, environment: Environment, logger: Logger) {
        self.service = service
        self.store = store
        self.environment = environment
        self.logger = logger
    }

    /// The known schema is out of date.
    func forget() { askedAt = nil }

    /// Fetches them again if they are older than `ageMax`. The gateway calls it after each sync that has reached the remote.
    func bringUpToDate() async {
        let now = environment.uptime()
        guard askedAt.map({ now - $0 >= Self.ageMax }) ?? true else { return }
        askedAt = now
        do {
            try await store.takeRemoteSchemas(service.classSchemas())
        } catch {
            logger.notice(
                "the remote's schema did not come: writes are checked by the remote, or by what it said before: \(error)"
            )
        }
    }
}
