import HTTPTypes

/// Collects the body of a request in memory, within the budget of all requests, or passes it to the handler's sink.
struct IncomingBody {
    private enum Destination {
        case memory([UInt8])
        case sink(any HTTPBodySink)
        /// Already moved into the request, or refused.
        case none
    }

    let bytesMax: Int
    private var destination: Destination
    private let budget: ByteBudget
    private var bytesReserved = 0
    private var bytesReceived = 0

    /// A body in memory.
    init(bytesMax: Int, budget: ByteBudget) {
        self.bytesMax = bytesMax
        self.budget = budget
        destination = .memory([])
    }

    /// A body that goes to the handler's sink.
    init(_ sink: any HTTPBodySink, budget: ByteBudget) {
        bytesMax = sink.bytesMax
        self.budget = budget
        destination = .sink(sink)
    }

    /// Allocates memory for a length announced by Content-Length.
    mutating func reserve(_ length: Int) {
        guard case .memory(var bytes) = destination else { return }
        // At most 1 MB at first, because the client may never send the announced length.
        bytes.reserveCapacity(min(length, 1 << 20))
        destination = .memory(bytes)
    }

    /// - Returns: the status of the refusal; nil if the piece was accepted.
    mutating func receive(_ piece: UnsafeRawBufferPointer) -> HTTPResponse.Status? {
        guard piece.count <= bytesMax - bytesReceived else { return .contentTooLarge }
        bytesReceived += piece.count
        switch destination {
        case .memory(var bytes):
            guard budget.reserve(piece.count) else { return .serviceUnavailable }
            bytesReserved += piece.count
            // A second reference to the array would make the append copy all of its bytes.
            destination = .none
            bytes.append(contentsOf: piece)
            destination = .memory(bytes)
        case .sink(let sink):
            do { try sink.write(piece) } catch { return error.status }
        case .none: break
        }
        return nil
    }

    /// Moves the received body into the request.
    mutating func move(into request: inout HTTPServerRequest) {
        switch destination {
        case .memory(let bytes): request.body = bytes
        case .sink(let sink): request.sink = sink
        case .none: break
        }
        destination = .none
    }

    /// Discards a body that was not moved into a request, and releases the reserved memory. A body in memory stays
    /// reserved until the end of its request.
    mutating func drop() {
        if case .sink(let sink) = destination { sink.abandon() }
        destination = .none
        budget.release(bytesReserved)
        bytesReserved = 0
    }
}
