import Gateway
import Logging
import ServiceLifecycle

/// Runs gateways until a signal asks them to stop.
enum Lifecycle {
    /// Requests have `drainMax` to finish. After that, cancelled requests have `cancellationMax` to end. The sum stays below the
    /// promised 5 s for a stop.
    static let drainMax = Duration.seconds(4)
    static let cancellationMax = Duration.milliseconds(800)

    /// Runs the gateways until SIGTERM or SIGINT. Requests in progress may then finish. After `drainMax` they are cancelled.
    /// - Parameter announce: prints that the gateways are ready. Called when the signal handlers are installed.
    static func run(
        _ gateways: [Gateway], logger: Logger, announce: @escaping @Sendable () -> Void
    ) async throws {
        OpenFiles.raiseLimit()
        FreedMemory.retain()
        let services: [any Service] = gateways + [Announcement(announce: announce)]
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
