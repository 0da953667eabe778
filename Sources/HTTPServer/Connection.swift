import Synchronization

/// The phase and progress of one connection in libmicrohttpd. Several threads use this object.
final class Connection: Sendable {
    let descriptor: Int32
    let client = HTTPClientPresence()
    let peer: IPAddress
    private let phase: Atomic<ConnectionState.Phase.RawValue>
    /// The start of the phase on the uptime clock, in nanoseconds.
    private let phaseStart: Atomic<Int64>
    private let byteCount = Atomic(0)
    private let hasRequest = Atomic(false)

    init(descriptor: Int32, phase: ConnectionState.Phase, now: Duration) {
        self.descriptor = descriptor
        self.phase = Atomic(phase.rawValue)
        peer = IPAddress(ofPeer: descriptor)
        phaseStart = Atomic(now.nanoseconds)
    }

    /// Starts a phase.
    /// - Parameter bytes: the length of the response in phase `sending`; 0 in any other phase.
    func enter(_ phase: ConnectionState.Phase, at now: Duration, bytes: Int = 0) {
        phaseStart.store(now.nanoseconds, ordering: .relaxed)
        byteCount.store(bytes, ordering: .relaxed)
        self.phase.store(phase.rawValue, ordering: .releasing)
    }

    /// Returns true to the first call, and false to later ones.
    func isFirstRequest() -> Bool {
        !hasRequest.load(ordering: .relaxed) && !hasRequest.exchange(true, ordering: .relaxed)
    }

    /// Whether the connection was handed over to the WebSockets.
    var isUpgraded: Bool { phase.load(ordering: .acquiring) == ConnectionState.Phase.upgraded.rawValue }

    /// Counts received bytes of a request body.
    func received(_ count: Int) { byteCount.add(count, ordering: .relaxed) }

    func state(at now: Duration) -> ConnectionState {
        ConnectionState(
            phase: ConnectionState.Phase(rawValue: phase.load(ordering: .acquiring)) ?? .starting,
            age: .nanoseconds(max(0, now.nanoseconds - phaseStart.load(ordering: .relaxed))),
            bytes: byteCount.load(ordering: .relaxed))
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
