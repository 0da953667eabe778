/// The phase of a connection and its progress in it.
struct ConnectionState: Sendable, Hashable {
    enum Phase: UInt8, Sendable {
        /// Idle, or receiving the head of a request.
        case waiting
        /// Receiving the body of a request.
        case receiving
        /// The handler is processing the request.
        case working
        /// Sending a response of known length.
        case sending
        /// Sending a response of unknown length.
        case streaming
    }

    let phase: Phase
    /// The time since the start of the phase.
    let age: Duration
    /// The received bytes of the request body, or the length of the response.
    let bytes: Int
}

/// Decides which connections to close: slow ones, and idle ones whose place is needed.
struct ConnectionRules: Sendable {
    /// The maximum time without a complete request head.
    let idleTimeout: Duration
    /// The maximum time for a body or a response, in addition to the time for its size at `bytesPerSecondMin`.
    var transferTimeMax = Duration.seconds(30)
    /// The slowest accepted transfer rate.
    var bytesPerSecondMin = 16 << 10
    /// The time after the start of a phase during which a connection is not closed in favour of others.
    private static let receivingGrace = Duration.seconds(1)
    private static let sendingGrace = Duration.seconds(2)

    init(idleTimeout: Duration) { self.idleTimeout = idleTimeout }

    /// True if the phase has exceeded its time limit.
    func isOverdue(_ state: ConnectionState) -> Bool {
        switch state.phase {
        case .waiting: state.age > idleTimeout
        case .receiving, .sending:
            state.age > transferTimeMax + .seconds(Double(state.bytes) / Double(bytesPerSecondMin))
        case .working, .streaming: false
        }
    }

    /// The priority for closing connections at the connection limit: the lowest rank first, then the oldest phase.
    /// - Returns: nil if the connection must stay open.
    func rank(_ state: ConnectionState) -> Int? {
        switch state.phase {
        case .waiting: 0
        case .receiving: state.age > Self.receivingGrace ? 1 : nil
        case .sending: state.age > Self.sendingGrace ? 2 : nil
        case .working, .streaming: nil
        }
    }

    /// True if the connection is in the given phase and has exceeded its grace period, so that its memory can be reclaimed.
    func isStalled(_ state: ConnectionState, in phase: ConnectionState.Phase) -> Bool {
        state.phase == phase && state.age > (phase == .sending ? Self.sendingGrace : .seconds(5))
    }
}
