import Synchronization

/// The server's record of one connection that libmicrohttpd has.
final class Connection: Sendable {
    let descriptor: Int32
    let client = HTTPClientPresence()
    private let phase = Atomic(UInt8(0))
    /// By the uptime clock, in nanoseconds.
    private let since: Atomic<Int64>
    private let byteCount = Atomic(0)

    init(descriptor: Int32, now: Duration) {
        self.descriptor = descriptor
        since = Atomic(now.nanoseconds)
    }

    /// - Parameter bytes: of the answer that is being sent.
    func enter(_ phase: ConnectionState.Phase, at now: Duration, bytes: Int = 0) {
        since.store(now.nanoseconds, ordering: .relaxed)
        byteCount.store(bytes, ordering: .relaxed)
        self.phase.store(phase.rawValue, ordering: .releasing)
    }

    /// More of a body has come.
    func received(_ count: Int) { byteCount.add(count, ordering: .relaxed) }

    func state(at now: Duration) -> ConnectionState {
        ConnectionState(
            phase: ConnectionState.Phase(rawValue: phase.load(ordering: .acquiring)) ?? .waiting,
            age: .nanoseconds(max(0, now.nanoseconds - since.load(ordering: .relaxed))),
            bytes: byteCount.load(ordering: .relaxed))
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
