import Foundation
import Gateway
import ParseModel
import ServiceLifecycle

/// Tells systemd the state of the service: a datagram to the socket that `NOTIFY_SOCKET` names, as `sd_notify` sends it. Without
/// the variable, nothing is sent.
struct ServiceManager: Sendable {
    /// The path of the socket. A leading `@` stands for the abstract namespace.
    private let path: String?
    /// The interval of the watchdog's signs of life; nil without a watchdog.
    let watchdogInterval: Duration?

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        path = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        // systemd ends a service without a sign of life within the limit. Half of the limit is its recommendation.
        watchdogInterval = path != nil && isOurs && limit > 0 ? .microseconds(limit / 2) : nil
    }

    func ready() { send("READY=1") }

    func stopping() { send("STOPPING=1") }

    /// Tells that the settings are being read again. `ready` ends it.
    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)")
    }

    func isAlive() { send("WATCHDOG=1") }

    private func send(_ message: String) {
        guard let path else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // The name of an abstract socket begins with a zero byte, and ends with the address.
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout.size(ofValue: address) - room + bytes.count)
        #if canImport(Glibc)
            let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let file = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        guard file >= 0 else { return }
        defer { close(file) }
        let text = Array(message.utf8)
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(file, text, text.count, 0, address, length)
            }
        }
    }

    /// Sends the watchdog's signs of life while the gateways answer requests.
    struct Watchdog: Service {
        let manager: ServiceManager
        let gateways: [Gateway]

        func run() async throws {
            guard let interval = manager.watchdogInterval else {
                try? await gracefulShutdown()
                return
            }
            await cancelWhenGracefulShutdown {
                while (try? await Environment.live.sleep(interval)) != nil {
                    var answer = true
                    for gateway in gateways { answer = await gateway.answers(within: interval) && answer }
                    if answer { manager.isAlive() }
                }
            }
        }
    }
}
