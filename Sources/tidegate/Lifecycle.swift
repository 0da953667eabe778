import Gateway
import Logging
import ServiceLifecycle

/// Runs gateways until a signal asks them to stop.
enum Lifecycle {
    /// Together below the 5 s within which a stop is promised.
    static let drainMax = Duration.seconds(4)
    static let cancellationMax = Duration.milliseconds(800)

    /// SIGTERM and SIGINT let running requests finish; what takes too long is cancelled.
    /// - Parameter announce: tells the world that the gateways are there, once a signal would stop them well.
    static func run(
        _ gateways: [Gateway], logger: Logger, announce: @escaping @Sendable () -> Void
    ) async throws {
        OpenFiles.raiseLimit()
        FreedMemory.keepSome()
        let services: [any Service] = gateways + [Announcement(announce: announce)]
        // Of its own affairs the library tells much at the lower levels.
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
