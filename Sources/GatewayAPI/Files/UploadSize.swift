import HTTPServer
import HeaderNames
import ParseModel

/// The maximum size of one upload: that of the gateway, or the one that a client with the master key names
/// (`X-Parse-File-Max-Upload-Size: 50mb`).
enum UploadSize {
    /// The maximum size that the header can name, the same as that of `--file-bytes-max`.
    private static let bytesMax = 10_737_418_240
    private static let units: KeyValuePairs = ["kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "b": 1]

    /// The maximum size in bytes of the upload.
    /// - Parameter standard: the maximum size of the gateway, in bytes.
    /// - Throws: `APIError.masterKeyRequired` for a size from a client without the master key, `ParseError` 130 (file
    ///   save error) for a malformed size.
    static func bytesMax(of head: HTTPServerRequest, by principal: Principal, standard: Int) throws -> Int {
        guard let text = head.headers[.parseFileSizeMax] else { return standard }
        guard principal.isMaster else { throw APIError.masterKeyRequired }
        guard let bytes = bytes(text.lowercased()) else {
            throw ParseError(.fileSaveError, "Invalid maximum size of a file: \(text)")
        }
        return min(bytes, bytesMax)
    }

    private static func bytes(_ text: String) -> Int? {
        let unit = units.first { text.hasSuffix($0.key) }
        let number = unit.map { text.dropLast($0.key.count) } ?? text[...]
        guard let value = Double(number.filter { $0 != " " }), value > 0, value < Double(bytesMax) else { return nil }
        let bytes = value * Double(unit?.value ?? 1)
        return bytes < Double(bytesMax) ? Int(bytes) : bytesMax
    }
}
