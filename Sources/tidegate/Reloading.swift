import Foundation
import Gateway
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the settings again at each SIGHUP, and applies those that can change while the gateway runs.
struct Reloading: Service {
    private let running: GatewayConfiguration
    private let log: ProgramLog
    private let backups: BackupSchedule
    private let certificate: RunningCertificate?
    private let logger: Logger
    private let load: @Sendable () throws -> GatewayConfiguration

    /// - Parameters:
    ///   - running: the configuration with which the gateway has started.
    ///   - load: reads the settings from their sources.
    init(
        _ running: GatewayConfiguration, log: ProgramLog, backups: BackupSchedule, certificate: RunningCertificate?,
        logger: Logger,
        load: @escaping @Sendable () throws -> GatewayConfiguration
    ) {
        (self.running, self.log, self.backups, self.logger, self.load) = (running, log, backups, logger, load)
        self.certificate = certificate
    }

    func run() async throws {
        // A terminal that is closed sends SIGHUP. The signal then ends the program, as it ends others.
        guard isatty(STDIN_FILENO) != 1 else {
            try? await gracefulShutdown()
            return
        }
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            for await _ in signals { reload() }
        }
    }

    private func reload() {
        let manager = ServiceManager()
        manager.reloading()
        defer { manager.ready() }
        certificate?.reread()
        do {
            let configuration = try load()
            log.change(to: configuration.logLevel)
            backups.change(to: configuration.backups)
            logger.notice("read the settings again")
            let waiting = configuration.settingsForRestart(since: running)
            if !waiting.isEmpty {
                logger.warning("changed settings that only a restart applies: \(waiting.joined(separator: ", "))")
            }
        } catch {
            logger.error("the settings stay as they are: \(error)")
        }
    }
}
