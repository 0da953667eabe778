import CMicroHTTPD

/// Sends one stream: copies the stream's pieces into libmicrohttpd's buffer. The class needs no lock: libmicrohttpd makes all
/// calls of `fill` on one thread, and frees the response after the last call.
final class StreamReply: @unchecked Sendable {
    private let stream: any HTTPBodyStream
    private let pause: StreamPause
    private let streams: OpenStreams
    /// The part of the last piece that did not fit into the buffer.
    private var remainder: ArraySlice<UInt8> = []
    private var bytesReserved = 0
    /// The size in bytes from which a piece counts against the memory budget of `streams`. Smaller pieces do not count.
    private static let reservedMin = 64 << 10
    private var isOver = false

    private init(_ stream: any HTTPBodyStream, _ connection: OpaquePointer, _ streams: OpenStreams) {
        self.stream = stream
        self.streams = streams
        pause = StreamPause(connection)
    }

    /// Creates the libmicrohttpd response that sends the stream.
    /// - Returns: nil if memory is exhausted.
    static func make(
        _ stream: any HTTPBodyStream, on connection: OpaquePointer, in streams: OpenStreams
    ) -> OpaquePointer? {
        let reply = StreamReply(stream, connection, streams)
        streams.opened(reply.pause)
        // The stream retains this closure, so the closure captures only the pause. Capturing the reply would create a reference
        // cycle.
        stream.setWaker { [pause = reply.pause] in pause.wake() }
        let opaque = Unmanaged.passRetained(reply).toOpaque()
        let response = MHD_create_response_from_callback(
            UInt64.max, 16 << 10,
            { reply, _, buffer, bytesMax in
                guard let reply, let buffer else { return tidegate_mhd_end_of_stream }
                return Unmanaged<StreamReply>.fromOpaque(reply).takeUnretainedValue()
                    .fill(UnsafeMutableRawBufferPointer(start: buffer, count: bytesMax))
            }, opaque,
            { reply in
                guard let reply else { return }
                Unmanaged<StreamReply>.fromOpaque(reply).takeRetainedValue().closed()
            })
        if response == nil { Unmanaged<StreamReply>.fromOpaque(opaque).takeRetainedValue().closed() }
        return response
    }

    /// Fills the buffer with the next bytes of the stream.
    /// - Returns: the number of bytes written; 0 if the connection is suspended; `tidegate_mhd_end_of_stream` at the end.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            if !remainder.isEmpty {
                let part = remainder.prefix(buffer.count - count)
                part.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: $0) }
                count += part.count
                remainder = remainder.dropFirst(part.count)
                continue
            }
            releaseReservation()
            if isOver || pause.isEnding { break }
            pause.willPull()
            switch stream.next() {
            case .bytes(let bytes):
                // If the budget is exhausted, the stream ends early. The client can reconnect for the rest.
                if reserve(bytes.count) { remainder = bytes[...] } else { isOver = true }
            case .end: isOver = true
            case .wait:
                if count > 0 { return count }
                if pause.suspend() { return 0 }
            }
        }
        return count > 0 ? count : tidegate_mhd_end_of_stream
    }

    private func reserve(_ count: Int) -> Bool {
        guard count >= Self.reservedMin else { return true }
        guard streams.budget.reserve(count) else { return false }
        bytesReserved = count
        return true
    }

    private func releaseReservation() {
        streams.budget.release(bytesReserved)
        bytesReserved = 0
    }

    private func closed() {
        releaseReservation()
        streams.closed(pause)
        stream.closed()
    }
}
