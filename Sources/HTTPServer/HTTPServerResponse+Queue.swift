import CMicroHTTPD
import Foundation
import HTTPTypes

extension HTTPServerResponse {
    /// The headers that libmicrohttpd sets itself. They are not copied from the response.
    private static let ownHeaders: Set<HTTPField.Name> = [.connection, .contentLength, .date, .transferEncoding]

    /// Hands the response to libmicrohttpd, which sends it after the current callback has returned.
    ///
    /// - Parameters:
    ///   - closing: true to close the connection after the response.
    ///   - streams: keeps track of the response if it is a stream.
    /// - Returns: `.NO` if libmicrohttpd cannot take the response, if no descriptor is free, or if the file of the response has
    ///   become shorter.
    func queue(on connection: OpaquePointer, closing: Bool, streams: OpenStreams) -> MHD_Result {
        guard let made = make(on: connection, streams) else { return .NO }
        defer { MHD_destroy_response(made) }
        for field in headers where !Self.ownHeaders.contains(field.name) {
            MHD_add_response_header(made, field.name.rawName, field.value)
        }
        if closing { MHD_add_response_header(made, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(status.code), made)
    }

    private func make(on connection: OpaquePointer, _ streams: OpenStreams) -> OpaquePointer? {
        switch content {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let range):
            // If the file has become shorter, libmicrohttpd would wait for the missing bytes.
            guard range.isAvailable else { return nil }
            // libmicrohttpd gets a duplicate of the descriptor, and closes the duplicate after sending.
            let own = fcntl(range.file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard own >= 0 else { return nil }
            let made = MHD_create_response_from_fd_at_offset64(UInt64(range.count), own, UInt64(range.offset))
            if made == nil { _ = close(own) }
            return made
        case .stream(let stream): return StreamReply.make(stream, on: connection, in: streams)
        case .webSocket: return Self.makeUpgrade()
        }
    }

    /// Releases a response that will not be sent.
    func drop() {
        switch content {
        case .bytes, .file: break
        case .stream(let stream): stream.closed()
        case .webSocket(let handler): handler.closed()
        }
    }

    /// Creates the response after which libmicrohttpd hands the socket over to `RequestContext.upgraded`.
    private static func makeUpgrade() -> OpaquePointer? {
        MHD_create_response_for_upgrade(
            { _, _, request, extra, extraCount, socket, upgrade in
                guard let request, let upgrade else { return }
                nonisolated(unsafe) let part = upgrade
                Unmanaged<RequestContext>.fromOpaque(request).takeUnretainedValue()
                    .upgraded(socket, received: UnsafeRawBufferPointer(start: extra, count: extraCount)) {
                        tidegate_mhd_end_upgraded(part)
                    }
            }, nil)
    }
}
