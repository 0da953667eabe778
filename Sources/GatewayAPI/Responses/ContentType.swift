import ParseModel

/// Finds the content type of a file by the extension of its name, and checks content types.
package enum ContentType {
    package static let unknown = "application/octet-stream"

    private static let byEnding = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json; charset=utf-8",
        "webmanifest": "application/manifest+json", "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "webp": "image/webp", "avif": "image/avif", "gif": "image/gif", "ico": "image/x-icon",
        "woff2": "font/woff2", "txt": "text/plain; charset=utf-8", "md": "text/plain; charset=utf-8",
        "yaml": "application/yaml", "map": "application/json", "pdf": "application/pdf", "mp3": "audio/mpeg",
        "m4a": "audio/mp4", "wav": "audio/wav", "ogg": "audio/ogg", "mp4": "video/mp4", "webm": "video/webm",
        "mov": "video/quicktime", "csv": "text/csv; charset=utf-8", "zip": "application/zip",
    ]

    /// The content type that the extension of a file's name shows; nil if it shows none.
    package static func of(_ name: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? byEnding[parts[parts.count - 1].lowercased()] : nil
    }

    /// Declares UTF-8 for text without a charset.
    static func withCharset(_ type: String) -> String {
        type.hasPrefix("text/") && !type.contains("charset") ? type + "; charset=utf-8" : type
    }

    /// Whether the text is exactly one content type: type, subtype, and parameters after semicolons (RFC 9110, 8.3.1). A browser may
    /// read another type from any other text: it takes the last type of a list, and guesses where it finds none.
    static func isWellFormed(_ type: String) -> Bool {
        var rest = Substring(type).utf8
        guard takeToken(&rest), take("/", &rest), takeToken(&rest) else { return false }
        while !rest.isEmpty {
            skipBlanks(&rest)
            guard take(";", &rest) else { return false }
            skipBlanks(&rest)
            // A parameter may be empty.
            guard takeToken(&rest) else { continue }
            guard take("=", &rest), takeToken(&rest) || takeQuotedText(&rest) else { return false }
        }
        return true
    }

    private static let tokenBytes = Set(
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    private static func take(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    private static func takeToken(_ rest: inout Substring.UTF8View) -> Bool {
        let after = rest.drop { tokenBytes.contains($0) }
        defer { rest = after }
        return after.startIndex != rest.startIndex
    }

    private static func takeQuotedText(_ rest: inout Substring.UTF8View) -> Bool {
        guard take("\"", &rest) else { return false }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\") { _ = rest.popFirst() }
        }
        return false
    }

    /// Whether a browser displays the type without executing anything in it. False for a malformed type.
    static func isHarmless(_ type: String) -> Bool {
        guard isWellFormed(type) else { return false }
        let name = type.lowercased().prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        if name.hasPrefix("audio/") || name.hasPrefix("video/") { return true }
        return [
            "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/x-icon",
            "text/plain",
        ].contains(name)
    }
}

extension ParseError {
    /// Parse Server's error for an upload whose content type is malformed.
    static let invalidContentType = ParseError(.fileSaveError, "Invalid Content-Type.")
}
