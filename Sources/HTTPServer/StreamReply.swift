import CMicroHTTPD

/// One stream on its way to a client: fills libmicrohttpd's buffer with the pieces.
final class StreamReply: @unchecked Sendable {
    // libmicrohttpd pulls for one connection on one thread, and frees the response when it pulls no more.
    private let stream: any HTTPBodyStream
    private let pause: StreamPause
    private let streams: OpenStreams
    /// What of the last piece had no room.
    private var rest: ArraySlice<UInt8> = []
    private var bytesReserved = 0
    /// A smaller piece does not count.
    private static let reservedMin = 64 << 10
    private var isOver = false

    private init(_ stream: any HTTPBodyStream, _ connection: OpaquePointer, _ streams: OpenStreams) {
        self.stream = stream
        self.streams = streams
        pause = StreamPause(connection)
    }

    /// A response that pulls from the stream; nil where there is no memory for one.
    static func make(
        _ stream: any HTTPBodyStream, on connection: OpaquePointer, in streams: OpenStreams
    ) -> OpaquePointer? {
        let reply = StreamReply(stream, connection, streams)
        streams.opened(reply.pause)
        // The stream keeps its waker, and must not keep itself by it.
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

    /// - Returns: how many bytes were put; 0 where the connection has been suspended.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            if !rest.isEmpty {
                let part = rest.prefix(buffer.count - count)
                part.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: $0) }
                count += part.count
                rest = rest.dropFirst(part.count)
                continue
            }
            giveBack()
            if isOver || pause.isEnding { break }
            pause.willPull()
            switch stream.next() {
            case .bytes(let bytes):
                // Without room the stream ends here, and its reader may come back for the rest.
                if reserve(bytes.count) { rest = bytes[...] } else { isOver = true }
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

    private func giveBack() {
        streams.budget.release(bytesReserved)
        bytesReserved = 0
    }

    private func closed() {
        giveBack()
        streams.closed(pause)
        stream.closed()
    }
}
