/// Content types by file name extension.
enum ContentType {
    static let unknown = "application/octet-stream"

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

    static func of(_ name: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? byEnding[parts[parts.count - 1].lowercased()] : nil
    }

    /// Declares UTF-8 for text without a charset.
    static func withCharset(_ type: String) -> String {
        type.hasPrefix("text/") && !type.contains("charset") ? type + "; charset=utf-8" : type
    }

    /// Whether a browser displays the type without executing anything in it.
    static func isHarmless(_ type: String) -> Bool {
        let name = type.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
        if name.hasPrefix("audio/") || name.hasPrefix("video/") { return true }
        return [
            "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/x-icon",
            "text/plain",
        ].contains(name)
    }
}
