import CCurl

/// Scheme, host and port of a URL, as libcurl reads them, so that a decision about them holds for its connection.
package struct WebAddress: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// In lower case; an IPv6 address has its brackets.
    package let host: String
    package let port: Int
    /// The whole URL, as it is to be asked for.
    package let url: String

    /// Nil where the text is no URL, or one of another scheme.
    package init?(_ text: String) {
        guard let parts = curl_url() else { return nil }
        defer { curl_url_cleanup(parts) }
        guard curl_url_set(parts, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: parts)?.lowercased(), ["http", "https"].contains(scheme),
            let host = Self.part(CURLUPART_HOST, of: parts)?.lowercased(), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: parts).flatMap(Int.init),
            let url = Self.part(CURLUPART_URL, of: parts)
        else { return nil }
        (self.scheme, self.host, self.port, self.url) = (scheme, host, port, url)
    }

    /// Whether both have the same scheme, host and port.
    package func hasOrigin(of other: WebAddress) -> Bool {
        (scheme, host, port) == (other.scheme, other.host, other.port)
    }

    private static func part(_ part: CURLUPart, of parts: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        defer { curl_free(text) }
        let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
        guard curl_url_get(parts, part, &text, flags) == CURLUE_OK, let text else { return nil }
        return String(cString: text)
    }
}
