import CMicroHTTPD
import HTTPTypes

extension HTTPServerResponse {
    /// libmicrohttpd writes these itself.
    private static let ownHeaders: Set<HTTPField.Name> = [.connection, .contentLength, .date, .transferEncoding]

    /// Hands a copy to libmicrohttpd, which sends it after the callback it was called from returns.
    ///
    /// - Returns: `.NO` where that is impossible; the connection is then closed.
    func queue(on connection: OpaquePointer, closing: Bool) -> MHD_Result {
        let made = body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let made else { return .NO }
        defer { MHD_destroy_response(made) }
        for field in headers where !Self.ownHeaders.contains(field.name) {
            MHD_add_response_header(made, field.name.rawName, field.value)
        }
        if closing { MHD_add_response_header(made, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(status.code), made)
    }
}
