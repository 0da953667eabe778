import ArgumentParser
import Gateway
import LocalStore
import Logging

/// `tidegate serve`: runs a gateway until a signal ends it.
///
/// The options are declared as the command's own, not as an option group. In a debug build, ArgumentParser checks a
/// group several times for each group around it, which would triple the time of a start.
struct ServeCommand: AsyncParsableCommand, CustomReflectable {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the gateway until SIGINT (Ctrl-C) or SIGTERM.",
        discussion: """
            With --remote the gateway is a replica: the local file holds a cache of the remote and a queue of unsent \
            changes. Without --remote it is standalone: a small Parse-compatible server.

            SIGHUP makes the gateway read its settings again. The log level, the settings of the backups and the content of \
            the files for TLS change at once; the log names the other changed settings, which a restart applies. A gateway that was started in a terminal ends \
            at SIGHUP.

            \(GatewayOptions.precedence)
            """)

    private let options: GatewayOptions

    init() { options = GatewayOptions() }

    init(from decoder: any Decoder) throws { options = try GatewayOptions(from: decoder) }

    var customMirror: Mirror { Mirror(self, children: Mirror(reflecting: options).children) }

    func run() async throws {
        Signals.ignoreFailedWriteSignals()
        var configuration = try options.load(for: Self.self)
        let log = ProgramLog(configuration)
        log.start()
        var restarted = try await serve(configuration, log, after: nil)
        while let previous = restarted {
            do {
                configuration = try options.load(for: Self.self)
                restarted = try await serve(configuration, log, after: previous)
            } catch {
                // The gateway was new a moment ago, but a client has written since then.
                logger.error("the gateway cannot start with its new connection, so it stays standalone: \(error)")
                try SavedConnection.remove(in: configuration.dataDirectory)
                configuration = try options.load(for: Self.self)
                restarted = try await serve(configuration, log, after: previous)
            }
        }
    }

    private var logger: Logger { Logger(label: "tidegate") }

    /// Runs a gateway until it ends.
    /// - Returns: what the next gateway takes over; nil if the program ends.
    private func serve(
        _ configuration: GatewayConfiguration, _ log: ProgramLog, after previous: Restarted?
    ) async throws -> Restarted? {
        for line in configuration.notes + configuration.warnings { logger.warning("\(line)") }
        let gateway = try await Gateway(
            configuration: configuration, stores: LocalStoreKind(), logger: logger, log: log.recent,
            after: previous)
        let purpose = configuration.remote.map { "replica of \($0.url)" } ?? "standalone"
        let reload = Reloading(
            configuration, log: log, backups: gateway.backups, certificate: gateway.certificate, logger: logger
        ) {
            try options.load(for: Self.self)
        }
        try await Lifecycle.run([gateway], with: [reload], logger: logger) {
            let line =
                "Tidegate \(Version.text) listens on \(gateway.url) (\(purpose), data in \(configuration.dataDirectory))"
            switch configuration.logFormat {
            case .text: Console.print(line)
            case .json: logger.notice("\(line)")
            }
            if let link = gateway.ownerLink { log.printOwnerLink(link) }
        }
        return gateway.restarted
    }
}
