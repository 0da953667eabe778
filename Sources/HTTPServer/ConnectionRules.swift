/// Where a connection stands.
struct ConnectionState: Sendable, Hashable {
    enum Phase: UInt8, Sendable {
        /// For a request, whose head may have come in part.
        case waiting
        /// The body of a request comes in.
        case receiving
        /// The handler has the request.
        case working
        /// The answer goes out.
        case sending
        /// The answer has no known end.
        case streaming
    }

    let phase: Phase
    /// How long it has been in this phase.
    let age: Duration
    /// The bytes of a body that have come, or all bytes of an answer.
    let bytes: Int
}

/// Decides which connections are closed: those that take too long, and those that others need the room of.
struct ConnectionRules: Sendable {
    /// How long a connection may wait for the whole head of a request.
    let idleTimeout: Duration
    /// How long a body or an answer may take beyond the time for its size.
    var transferTimeMax = Duration.seconds(30)
    /// A slower client runs out of time.
    var bytesPerSecondMin = 16 << 10
    /// A client that was active so recently keeps its connection, even if others need room.
    private static let graceOfBodies = Duration.seconds(1)
    private static let graceOfAnswers = Duration.seconds(2)

    init(idleTimeout: Duration) { self.idleTimeout = idleTimeout }

    func isOverdue(_ state: ConnectionState) -> Bool {
        switch state.phase {
        case .waiting: state.age > idleTimeout
        case .receiving, .sending:
            state.age > transferTimeMax + .seconds(Double(state.bytes) / Double(bytesPerSecondMin))
        case .working, .streaming: false
        }
    }

    /// How soon a connection is closed where there are too many: the lowest first, and of equals the oldest.
    /// - Returns: nil where it stays.
    func rank(_ state: ConnectionState) -> Int? {
        switch state.phase {
        case .waiting: 0
        case .receiving: state.age > Self.graceOfBodies ? 1 : nil
        case .sending: state.age > Self.graceOfAnswers ? 2 : nil
        case .working, .streaming: nil
        }
    }

    /// Whether the connection holds memory that others need and does not seem to go on.
    func isStalled(_ state: ConnectionState, in phase: ConnectionState.Phase) -> Bool {
        state.phase == phase && state.age > (phase == .sending ? Self.graceOfAnswers : .seconds(5))
    }
}
