import GatewayAPI
import HTTPClient
import HTTPServer
import HTTPTypes
import Logging
import ParseModel
import ServiceLifecycle
import StoreService

/// A running gateway: a `ServedGateway`, and the HTTP server that serves its API on a socket.
package struct Gateway: Service {
    /// The base URL of the local API, such as `http://127.0.0.1:1338`.
    package let url: String
    /// The URL that opens the page with a browser session of the person who runs the gateway. It works once, within
    /// `OwnerSessions.linkLifetime`. Nil if the page needs no such session, or if other machines can reach the gateway.
    package let ownerLink: String?
    private let server: HTTPServer
    private let served: ServedGateway
    private let audit: AuditLog
    private let logger: Logger
    private let environment: Environment
    private let owners: OwnerSessions
    private let restart = Restart()
    private let addressFile: AddressFile
    /// Reads a changed certificate again; nil without TLS.
    package let certificate: RunningCertificate?
    /// Writes the backups of the data directory.
    package let backups: BackupSchedule
    /// The port on which the gateway listens.
    private let port: UInt16
    /// An address of this machine at which the gateway listens.
    private let reachableHost: String

    var store: any GatewayStore { served.store }

    /// Opens the data directory, binds the port and starts to serve. Sync starts with `run`.
    /// - Parameters:
    ///   - log: the latest lines of the program's log.
    ///   - previous: the gateway that has asked for this restart; nil at the first start.
    /// - Throws: `GatewayError`.
    package init(
        configuration: GatewayConfiguration, stores: any StoreKind, remotes: RemoteFactory = .standard,
        logger: Logger, log: RecentLog = RecentLog(), after previous: Restarted? = nil,
        environment: Environment = .live
    ) async throws {
        do {
            var configuration = configuration
            if let remote = configuration.remote {
                configuration.remote = try await RemoteDetection(remotes: remotes, stores: stores).complete(
                    remote, classes: configuration.classes, directory: configuration.dataDirectory)
            }
            if let previous {
                configuration.listen = ListenAddress(host: configuration.listen.host, port: previous.port)
            }
            owners = previous?.owners ?? OwnerSessions(environment)
            if configuration.offersOwnerSessions { configuration.owners = owners }
            let certificate = try configuration.certificate?.read()
            let listener = OwnListener()
            let audit = AuditLog(
                directory: configuration.dataDirectory, now: environment.now, logger: logger)
            let backups = BackupSchedule(
                configuration.backups,
                of: BackupWriter(
                    directory: configuration.dataDirectory, stores: stores, environment: environment),
                environment: environment, logger: logger)
            let served = try await ServedGateway(
                configuration, stores: stores, remotes: remotes, isOwnAddress: listener.hasAddress,
                environment: environment, audit: audit, logger: logger,
                program: ProgramParts(
                    report: GatewayReport(
                        configuration, log: log, stores: stores, remotes: remotes, backups: backups),
                    owners: owners, restart: restart, backups: backups))
            addressFile = AddressFile(in: configuration.dataDirectory)
            addressFile.remove()
            server = try HTTPServer(
                configuration: configuration.server(certificate), handler: served.api, uptime: environment.uptime,
                sleep: environment.sleep, refusal: served.api.refusal)
            listener.listens(at: configuration.listen.host, port: server.port)
            self.served = served
            self.audit = audit
            self.backups = backups
            self.logger = logger
            self.environment = environment
            let scheme = certificate == nil ? "http" : "https"
            let url = "\(scheme)://\(ListenAddress(host: configuration.listen.host, port: server.port))"
            self.url = url
            self.certificate = RunningCertificate(
                configuration.certificate, certificate, of: server, at: url, addressFile, logger: logger)
            port = server.port
            do { try addressFile.write(GatewayAddress(url: url, publicKeyPin: certificate?.publicKeyPin)) } catch {
                logger.warning(
                    "commands with --data do not find this gateway: its address cannot be written (\(error))")
            }
            reachableHost = Self.reachable(configuration.listen.host)
            ownerLink = configuration.owners.map { "\(url)/#owner=\($0.newToken())" }
        } catch {
            throw GatewayError(error)
        }
    }

    private static func reachable(_ host: String) -> String {
        ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
    }

    /// Whether the gateway answers a request to its socket.
    package func answers(within limit: Duration) async -> Bool {
        let transport = CurlTransport(
            configuration: .init(requestTimeout: limit, publicKeyPin: certificate?.publicKeyPin))
        let request = HTTPClientRequest(
            method: .get,
            url: "\(certificate == nil ? "http" : "https")://\(ListenAddress(host: reachableHost, port: port))/health",
            isRepeatable: true, mayUseProxy: false)
        return (try? await transport.send(request))?.status == .ok
    }

    /// What the next gateway of this program takes over; nil if nobody has asked for a restart.
    package var restarted: Restarted? { restart.isRequested ? Restarted(owners: owners, port: port) : nil }

    /// Serves and syncs until the task is cancelled, a graceful shutdown starts, or a restart is requested. Then waits a few
    /// seconds for requests in progress, and stops.
    package func run() async throws {
        served.start()
        // A stop does not wait for a backup. The next backup removes what an interrupted one has left.
        let writing = Task { [backups] in await backups.run() }
        let renewing = Task { [certificate, environment] in await certificate?.run(environment) }
        defer {
            writing.cancel()
            renewing.cancel()
        }
        await withTaskGroup { group in
            group.addTask { try? await gracefulShutdown() }
            group.addTask { [restart] in await restart.wait() }
            await group.next()
            group.cancelAll()
        }
        logger.info("stopping")
        addressFile.remove()
        await served.stop { [server] in await server.stop(grace: Space.drainMax) }
        await audit.flush()
    }
}
