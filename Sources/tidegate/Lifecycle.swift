import CMalloc
import Foundation
import Gateway
import Logging
import ParseModel
import ServiceLifecycle

/// Runs gateways until a signal asks them to stop.
enum Lifecycle {
    /// At a stop, requests have `drainMax` to finish. The remaining requests are then cancelled, and have `cancellationMax` to
    /// end. The sum is below 5 s, the maximum for a stop.
    static let drainMax = Duration.seconds(4)
    static let cancellationMax = Duration.milliseconds(800)

    /// Runs the gateways until SIGTERM or SIGINT, or until one of them asks for a restart. Then requests in progress may finish, and are cancelled after `drainMax`.
    /// - Parameters:
    ///   - more: further services of the program.
    ///   - announce: prints that the gateways are ready. Called when the signal handlers are installed.
    static func run(
        _ gateways: [Gateway], with more: [any Service] = [], logger: Logger,
        announce: @escaping @Sendable () -> Void
    ) async throws {
        OpenFiles.raiseLimit()
        FreedMemory.retain()
        let manager = ServiceManager()
        let services: [any Service] =
            gateways + more + [
                FreedMemory.Returning(), ServiceManager.Watchdog(manager: manager, gateways: gateways),
                Announcement(manager: manager, announce: announce),
            ]
        // At lower levels, ServiceLifecycle logs many internal details.
        var logger = logger
        logger.logLevel = max(logger.logLevel, .info)
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                // A gateway ends by itself to start again.
                .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = drainMax
        configuration.maximumCancellationDuration = cancellationMax
        try await ServiceGroup(configuration: configuration).run()
    }

    private struct Announcement: Service {
        let manager: ServiceManager
        let announce: @Sendable () -> Void

        func run() async throws {
            announce()
            manager.ready()
            try? await gracefulShutdown()
            manager.stopping()
        }
    }
}

/// Controls the memory that the program has freed and that the C library keeps for reuse.
enum FreedMemory {
    /// The freed memory that each glibc arena keeps for reuse, in bytes. By default, glibc returns freed memory to the
    /// kernel and requests it again for the next large response. This takes an eighth of the response time of a list of
    /// 100 objects.
    private static let keptBytesMax: Int32 = 1 << 20

    /// Makes glibc keep freed memory for reuse.
    static func retain() { tidegate_keep_freed_memory(keptBytesMax) }

    /// Returns the kept memory to the kernel every minute. A sync of many objects and the check of the file at the start free more memory
    /// than requests need: 16 of 76 MB in a replica with three users of 10,000 objects each.
    struct Returning: Service {
        func run() async throws {
            await cancelWhenGracefulShutdown {
                while (try? await Environment.live.sleep(.seconds(60))) != nil { tidegate_return_freed_memory() }
            }
        }
    }
}

/// Raises the limit of open files and sockets of this process.
enum OpenFiles {
    /// The wanted number of descriptors. Each connection uses one descriptor, each database reader uses two, each request to the remote
    /// uses one, and each open space of a user uses 13. `--users-max` allows 1,000 spaces.
    private static let wanted: rlim_t = 16_384

    /// Raises the soft limit of open files to `wanted`, or to the hard limit if that is lower. Some shells set a soft limit of
    /// 256.
    static func raiseLimit() {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(resource, &limit)
    }
}
