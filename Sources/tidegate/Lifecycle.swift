import Gateway
import Logging
import ServiceLifecycle

/// Runs gateways until a signal asks them to stop.
enum Lifecycle {
    /// At a stop, requests have `drainMax` to finish. The remaining requests are then cancelled, and have `cancellationMax` to
    /// end. The sum is below 5 s, the maximum for a stop.
    static let drainMax = Duration.seconds(4)
    static let cancellationMax = Duration.milliseconds(800)

    /// Runs the gateways until SIGTERM or SIGINT. Then requests in progress may finish, and are cancelled after `drainMax`.
    /// - Parameter announce: prints that the gateways are ready. Called when the signal handlers are installed.
    static func run(
        _ gateways: [Gateway], logger: Logger, announce: @escaping @Sendable () -> Void
    ) async throws {
        OpenFiles.raiseLimit()
        FreedMemory.retain()
        let services: [any Service] = gateways + [FreedMemory.Returning(), Announcement(announce: announce)]
        // At lower levels, ServiceLifecycle logs many internal details.
        var logger = logger
        logger.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0) }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = drainMax
        configuration.maximumCancellationDuration = cancellationMax
        try await ServiceGroup(configuration: configuration).run()
    }

    private struct Announcement: Service {
        let announce: @Sendable () -> Void

        func run() async throws {
            announce()
            try? await gracefulShutdown()
        }
    }
}
