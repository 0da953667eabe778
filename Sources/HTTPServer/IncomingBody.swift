import HTTPTypes

/// Collects the body of a request in memory, within a budget that all requests share, or passes the body to the handler's sink.
struct IncomingBody {
    private enum Destination {
        case memory([UInt8])
        case sink(any HTTPBodySink)
        /// The body was already moved into the request, or refused.
        case none
    }

    let bytesMax: Int
    private var destination: Destination
    private let memory: BodyMemory
    private var bytesReserved = 0
    private var bytesReceived = 0

    /// Collects the body in memory.
    init(bytesMax: Int, memory: BodyMemory) {
        self.bytesMax = bytesMax
        self.memory = memory
        destination = .memory([])
    }

    /// Passes the body to the handler's sink.
    init(_ sink: any HTTPBodySink, memory: BodyMemory) {
        bytesMax = sink.bytesMax
        self.memory = memory
        destination = .sink(sink)
    }

    /// Allocates memory for a body whose Content-Length is `length`. A sink needs none.
    mutating func reserve(_ length: Int) {
        guard case .memory(var bytes) = destination else { return }
        // The first allocation is at most 1 MiB, because the client may never send the announced length.
        bytes.reserveCapacity(min(length, 1 << 20))
        destination = .memory(bytes)
    }

    /// Takes the next piece of the body.
    /// - Returns: the error status; nil if the piece was accepted.
    mutating func receive(_ piece: UnsafeRawBufferPointer) -> HTTPResponse.Status? {
        guard piece.count <= bytesMax - bytesReceived else { return .contentTooLarge }
        bytesReceived += piece.count
        switch destination {
        case .memory(var bytes):
            let need = memory.need(of: piece)
            guard need <= memory.bytesMax - bytesReserved else { return .contentTooLarge }
            guard memory.budget.reserve(need) else { return .serviceUnavailable }
            bytesReserved += need
            // The array must have only one reference. Otherwise `append` would copy all of its bytes.
            destination = .none
            bytes.append(contentsOf: piece)
            destination = .memory(bytes)
        case .sink(let sink):
            do { try sink.write(piece) } catch { return error.status }
        case .none: break
        }
        return nil
    }

    /// Moves the received body, or the sink that has received it, into the request.
    mutating func move(into request: inout HTTPServerRequest) {
        switch destination {
        case .memory(let bytes): request.body = bytes
        case .sink(let sink): request.sink = sink
        case .none: break
        }
        destination = .none
    }

    /// Discards a body that was not moved into the request, and releases the reserved memory. Called when the body is refused,
    /// when the handler has answered, and when the connection is lost.
    mutating func drop() {
        if case .sink(let sink) = destination { sink.abandon() }
        destination = .none
        memory.budget.release(bytesReserved)
        bytesReserved = 0
    }
}
