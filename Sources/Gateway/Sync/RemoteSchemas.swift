import Logging
import ParseModel
import RemoteService
import StoreService

/// Updates the store's copy of the remote's schemas.
///
/// Most updates run in the background, and clients' requests do not wait for them. In a site replica, each sync reads
/// the schemas along with its pulls, because they decide what users may do, and a request about a class whose schema is
/// unknown waits for an update.
actor RemoteSchemas {
    private let service: any RemoteSchemaService
    private let store: any GatewayStore
    private let environment: Environment
    private let logger: Logger
    private let unknownClasses: UnknownClasses

    /// The rights of clients on a class whose schema the remote has not sent.
    enum UnknownClasses {
        /// Clients may do everything.
        case open
        /// Users may do nothing until the schema is known, as in a site replica.
        case closed
    }

    private var askedAt: Duration?
    /// The running request for the schemas; nil if none is running.
    private var reading: Task<Void, Never>?
    /// The uptime at which the latest request for the schemas began; nil before the first.
    private var readAt: Duration?
    /// Whether the last request has reached the remote.
    private var verdict = RemoteCircuit.Verdict.nothing
    /// Whether the schemas are known to have changed on the remote since the last request began.
    private var isOutdated = false
    /// The latest call that stores schemas of a pull.
    private var storing: Task<Void, Never>?
    /// The number of the latest read of the schemas that is stored; see `PulledSchemas`.
    private var taken = 0

    /// The time after which the schemas are fetched again.
    static let ageMax = Duration.seconds(300)
    /// The minimum time between the start of a request for the schemas and the next request that a client waits for.
    static let searchPause = Duration.seconds(1)

    init(
        _ service: any RemoteSchemaService, store: any GatewayStore, unknownClasses: UnknownClasses = .open,
        environment: Environment, logger: Logger
    ) {
        self.unknownClasses = unknownClasses
        self.service = service
        self.store = store
        self.environment = environment
        self.logger = logger
    }

    /// Makes the next `bringUpToDate` and the next `search` fetch the schemas again, even if they are recent.
    func forget() {
        askedAt = nil
        isOutdated = true
    }

    /// Stores the schemas that the last sync has read along with its pulls, if it has. Waits for a call that is storing them.
    func takePulled() async {
        if let pulled = service.pulledSchemas?.take() {
            storing = environment.task { [self] in await take(pulled) }
        }
        await storing?.value
    }

    private func take(_ pulled: PulledSchemas.Reading) async {
        askedAt = environment.uptime()
        do { try await take(pulled.schemas, pulled.number) } catch {
            askedAt = nil
            logger.error("the remote's schemas cannot be stored: \(error)")
        }
    }

    /// Fetches the schemas at the first call, and at the first call after `forget`. Otherwise fetches them if the last
    /// attempt is at least `ageMax` ago, or if users wait for the schema of a class. Where users wait, a failed attempt
    /// is repeated at the next call. Called after each sync that has finished without an error.
    func bringUpToDate() async {
        let now = environment.uptime()
        guard askedAt.map({ now - $0 >= Self.ageMax }) ?? true else { return }
        askedAt = now
        await read()
    }

    private func fetch() async {
        verdict = .nothing
        do {
            let classes = try await store.sync(as: .gateway).syncClasses().map(\.name)
            let number = service.pulledSchemas?.begin() ?? taken + 1
            let schemas: [ClassSchema]?
            do { schemas = try await service.classSchemas(of: classes) } catch {
                verdict = RemoteCircuit.Verdict(error)
                throw error
            }
            // A nil result does not show whether the remote was asked.
            verdict = schemas == nil ? .nothing : .answered
            guard let schemas else { return }
            if unknownClasses == .closed, !Set(classes).isSubset(of: schemas.map(\.className)) { askedAt = nil }
            try await take(schemas, number)
        } catch {
            // Without the schemas, no user of a site replica can work.
            if unknownClasses == .closed { askedAt = nil }
            logger.notice(
                "cannot read the remote's schemas: writes are checked against the last known schemas, or by the remote: \(error)"
            )
        }
    }

    /// Stores schemas, unless the schemas of a later read are stored.
    private func take(_ schemas: [ClassSchema], _ number: Int) async throws {
        guard number > taken else { return }
        taken = number
        try await store.classes.takeRemoteSchemas(schemas)
    }

    // MARK: Requests about a class

    /// Updates the schemas for a request about a class whose schema is unknown. Waits until `searchPause` has passed
    /// since the last update began, because the class may have been created since.
    /// - Parameter isNewThere: whether the class has just been created on the remote. Otherwise the result of a running
    ///   update is used.
    /// - Returns: whether the latest update has reached the remote.
    @discardableResult
    func search(isNewThere: Bool) async -> RemoteCircuit.Verdict {
        let isNewThere = isNewThere || isOutdated
        let began = environment.uptime()
        if let reading {
            await reading.value
            guard isNewThere else { return verdict }
        }
        if let readAt, reading == nil {
            let rest = Self.searchPause - (environment.uptime() - readAt)
            if rest > .zero { try? await environment.sleep(rest) }
            // Another call has updated the schemas meanwhile.
            if let latest = self.readAt, latest > began {
                await self.reading?.value
                return verdict
            }
        }
        await read()
        return verdict
    }

    /// Fetches the schemas, or joins the call that does.
    private func read() async {
        if reading == nil {
            readAt = environment.uptime()
            isOutdated = false
            reading = environment.task { [self] in
                await fetch()
                await endReading()
            }
        }
        await reading?.value
    }

    private func endReading() { reading = nil }
}
