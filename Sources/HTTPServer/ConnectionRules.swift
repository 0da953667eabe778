/// The phase of a connection, and the connection's progress in that phase.
struct ConnectionState: Sendable, Hashable {
    enum Phase: UInt8, Sendable {
        /// Handed over with a complete head that libmicrohttpd has not read yet.
        case starting
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
        /// Handed over to the WebSockets. libmicrohttpd is about to close its descriptor.
        case upgraded
    }

    let phase: Phase
    /// The time since the start of the phase.
    let age: Duration
    /// In phase `receiving`, the number of body bytes received. In phase `sending`, the length of the response. Otherwise 0.
    let bytes: Int
}

/// Decides which connections are closed: overdue ones always, idle or slow ones to make room, and stalled ones to reclaim memory.
struct ConnectionRules: Sendable {
    /// The maximum duration of the phases `starting` and `waiting`.
    let idleTimeout: Duration
    /// The fixed part of the time limit for a body or a response. Each received byte of a body, and each byte of a response, adds
    /// 1 / `bytesPerSecondMin` seconds.
    var transferTimeMax = Duration.seconds(30)
    /// The minimum transfer rate in bytes per second.
    var bytesPerSecondMin = 16 << 10
    /// A connection that has been receiving or sending for less than this time is not closed to make room.
    private static let receivingGrace = Duration.seconds(1)
    private static let sendingGrace = Duration.seconds(2)

    init(idleTimeout: Duration) { self.idleTimeout = idleTimeout }

    /// Whether the connection has exceeded the time limit of its phase.
    func isOverdue(_ state: ConnectionState) -> Bool {
        switch state.phase {
        case .starting, .waiting: state.age > idleTimeout
        case .receiving, .sending:
            state.age > transferTimeMax + .seconds(Double(state.bytes) / Double(bytesPerSecondMin))
        case .working, .streaming, .upgraded: false
        }
    }

    /// The rank by which connections are closed to make room, the lowest rank first.
    /// - Returns: nil if the connection must stay open.
    func rank(_ state: ConnectionState) -> Int? {
        switch state.phase {
        case .waiting: 0
        case .receiving: state.age > Self.receivingGrace ? 1 : nil
        case .sending: state.age > Self.sendingGrace ? 2 : nil
        case .starting, .working, .streaming, .upgraded: nil
        }
    }

    /// Whether the connection has been in the given phase for more than 2 s (`sending`) or 5 s (any other phase). A stalled
    /// connection can be closed to free its memory.
    func isStalled(_ state: ConnectionState, in phase: ConnectionState.Phase) -> Bool {
        state.phase == phase && state.age > (phase == .sending ? Self.sendingGrace : .seconds(5))
    }
}
