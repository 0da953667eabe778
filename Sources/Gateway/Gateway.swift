import GatewayAPI
import HTTPServer
import Logging
import ParseModel
import ServiceLifecycle
import StoreService

/// One gateway: the local API on a socket, and the space that it serves.
package struct Gateway: Service {
    /// The base URL of the local API, such as `http://127.0.0.1:1338`.
    package let url: String
    private let server: HTTPServer
    private let space: Space
    private let audit: AuditLog
    private let logger: Logger

    var store: any GatewayStore { space.store }

    /// Opens the data directory, binds the port and starts to serve. Sync starts with `run`.
    /// - Throws: `GatewayError`.
    package init(
        configuration: GatewayConfiguration, stores: any StoreKind, remotes: RemoteFactory = .standard,
        logger: Logger, environment: Environment = .live
    ) async throws {
        do {
            var configuration = configuration
            if let remote = configuration.remote {
                configuration.remote = try await RemoteDetection(remotes: remotes, stores: stores).complete(
                    remote, classes: configuration.classes, directory: configuration.dataDirectory)
            }
            let listener = OwnListener()
            let audit = AuditLog(
                directory: configuration.dataDirectory, now: environment.now, logger: logger)
            let parts = SpaceRegistry.Parts(
                configuration: configuration, stores: stores, remotes: remotes, isOwnAddress: listener.hasAddress,
                environment: environment, audit: audit, logger: logger)
            let space = try await Space(
                configuration, stores: stores, remotes: remotes, isOwnAddress: listener.hasAddress,
                environment: environment, audit: audit, logger: logger, common: parts.common
            ) { try SpaceRegistry.people(parts, store: $0, remote: $1) }
            try await Self.notePeople(configuration, space.store, stores, logger)
            server = try HTTPServer(
                configuration: configuration.server, handler: space.api, uptime: environment.uptime,
                sleep: environment.sleep, refusal: space.api.refusal)
            listener.listens(at: configuration.listen.host, port: server.port)
            self.space = space
            self.audit = audit
            self.logger = logger
            url = "http://\(ListenAddress(host: configuration.listen.host, port: server.port))"
        } catch {
            throw GatewayError(error)
        }
    }

    /// Notes the setting `people` in a replica's store, and logs what differs from the last start.
    private static func notePeople(
        _ configuration: GatewayConfiguration, _ store: any GatewayStore, _ stores: any StoreKind, _ logger: Logger
    ) async throws {
        guard configuration.remote != nil else { return }
        let was = try store.people.mode()
        let mode = try PeopleMode(
            was: was, settings: configuration.people, dataDirectory: configuration.dataDirectory, stores: stores)
        for line in mode.lines { logger.notice("\(line)") }
        let authors = try await store.sync(as: .gateway).waitingAuthors().count
        if configuration.people.mode != .site, authors > 0 {
            logger.notice(
                "changes of \(authors.counted("author")) of a site wait and are not sent: start with --people site to send them"
            )
        }
        if mode.changesRights { try await store.people.endFeedPositions() }
        if was != mode.isNow.rawValue { try await store.people.setMode(mode.isNow.rawValue) }
    }

    /// Serves and syncs until the task is cancelled or a graceful shutdown starts. Then waits a few seconds for requests in
    /// progress, and stops.
    package func run() async throws {
        space.start()
        try? await gracefulShutdown()
        logger.info("stopping")
        await space.stop { [server] in await server.stop(grace: Space.drainMax) }
        await audit.flush()
    }
}
