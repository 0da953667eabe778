import CCrypto
import ParseModel

/// Converts between the URL in a table's column and a file of Parse. The column holds only the URL. The file's name, by
/// which a replica identifies it, is made from the URL.
enum TableFile {
    /// The file at a URL; nil for an empty text. Files at different URLs have different names: the name begins with
    /// 32 hexadecimal digits of the SHA-256 digest of the URL, as names of Parse files begin with random digits.
    static func file(at url: String) -> FileReference? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        return FileReference(name: "\(digest(of: url))_\(last)", url: url)
    }

    /// Whether a URL is the one at which a gateway serves the file of this name: `http://127.0.0.1:1338/files/app/{name}`.
    static func isGatewayURL(_ url: String, of name: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let digits = name.utf8.prefix(while: Hexadecimal.isDigit)
        guard digits.count == 32, name.utf8.dropFirst(32).first == UInt8(ascii: "_"), path.contains("/files/") else {
            return false
        }
        return path.split(separator: "/").last == Substring(PercentCoding.encodedPathSegment(name))
    }

    private static func digest(of text: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 32)
        let text = Array(text.utf8)
        EVP_Digest(text, text.count, &bytes, nil, EVP_sha256(), nil)
        return Hexadecimal.text(of: Array(bytes.prefix(16)))
    }
}
