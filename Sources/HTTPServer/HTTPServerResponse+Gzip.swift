import CZlib
import HTTPTypes

extension HTTPServerResponse {
    /// The fastest compression level. Higher levels take several times as long, and make JSON a few percent smaller.
    private static let level: Int32 = 1

    /// Compresses the body with gzip (RFC 1952). A strong entity tag becomes weak: the tag was made for the uncompressed bytes.
    /// - Returns: the unchanged response for an empty body, a file or a stream, and if gzip fails or lengthens the body.
    package func gzipped() -> HTTPServerResponse {
        guard !body.isEmpty, let compressed = Self.compressed(body) else { return self }
        var response = self
        response.body = compressed
        response.headers[.contentEncoding] = "gzip"
        if let tag = headers[.eTag], !tag.hasPrefix("W/") { response.headers[.eTag] = "W/" + tag }
        return response
    }

    /// Compresses bytes with gzip.
    /// - Returns: nil if zlib fails, if the result is longer than `body`, or if `body` has 4 GiB or more.
    private static func compressed(_ body: [UInt8]) -> [UInt8]? {
        guard body.count <= UInt32.max else { return nil }
        var stream = z_stream()
        guard tidegate_deflate_init_gzip(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let compressed = [UInt8](unsafeUninitializedCapacity: body.count) { output, count in
            body.withUnsafeBufferPointer { input in
                // zlib does not write through this pointer.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : 0
            }
        }
        return compressed.isEmpty ? nil : compressed
    }
}
