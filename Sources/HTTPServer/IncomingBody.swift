import HTTPTypes

/// Where the pieces of a request's body go: to memory, within the budget of all requests, or to the handler's sink.
struct IncomingBody {
    private enum Destination {
        case memory([UInt8])
        case sink(any HTTPBodySink)
        /// Handed on, or refused.
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

    /// Makes room for an announced length.
    mutating func reserve(_ length: Int) {
        guard case .memory(var bytes) = destination else { return }
        // No more at first, because the client may never send what it announces.
        bytes.reserveCapacity(min(length, 1 << 20))
        destination = .memory(bytes)
    }

    /// - Returns: the status to refuse the request with; nil where the piece was taken.
    mutating func receive(_ piece: UnsafeRawBufferPointer) -> HTTPResponse.Status? {
        guard piece.count <= bytesMax - bytesReceived else { return .contentTooLarge }
        bytesReceived += piece.count
        switch destination {
        case .memory(var bytes):
            guard budget.reserve(piece.count) else { return .serviceUnavailable }
            bytesReserved += piece.count
            // Two owners would make the append copy all that came before.
            destination = .none
            bytes.append(contentsOf: piece)
            destination = .memory(bytes)
        case .sink(let sink):
            do { try sink.write(piece) } catch { return error.status }
        case .none: break
        }
        return nil
    }

    /// Puts what has come into the request.
    mutating func hand(to request: inout HTTPServerRequest) {
        switch destination {
        case .memory(let bytes): request.body = bytes
        case .sink(let sink): request.sink = sink
        case .none: break
        }
        destination = .none
    }

    /// Drops what has not been handed on. Memory counts until then, and that of a request in work until it is over.
    mutating func drop() {
        if case .sink(let sink) = destination { sink.abandon() }
        destination = .none
        budget.release(bytesReserved)
        bytesReserved = 0
    }
}
