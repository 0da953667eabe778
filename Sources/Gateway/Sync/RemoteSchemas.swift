import Logging
import ParseModel
import ParseRemote
import StoreService

/// Brings the remote's schema now and then, where a key allows that. Nothing waits for it, and nothing fails where it
/// does not come.
actor RemoteSchemas {
    private let remote: ParseRemote
    private let store: any ClassRegistry
    private let environment: Environment
    private let logger: Logger
    private var askedAt: Duration?

    /// How old what is known may become.
    static let ageMax = Duration.seconds(300)

    init(remote: ParseRemote, store: any ClassRegistry, environment: Environment, logger: Logger) {
        self.remote = remote
        self.store = store
        self.environment = environment
        self.logger = logger
    }

    /// The known schema is out of date.
    func forget() { askedAt = nil }

    /// To be called when the remote has just been reached.
    func bringUpToDate() async {
        let now = environment.uptime()
        guard remote.configuration.masterKey != nil, askedAt.map({ now - $0 >= Self.ageMax }) ?? true else { return }
        askedAt = now
        do {
            try await store.takeRemoteSchemas(remote.schemas())
        } catch {
            logger.notice(
                "the remote's schema did not come: writes are checked by the remote, or by what it said before: \(error)"
            )
        }
    }
}
