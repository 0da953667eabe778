import CCurl

/// The scheme, host and port of a URL. libcurl parses the URL, so a check of these parts holds for the connection that libcurl
/// makes.
package struct WebAddress: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lower case. An IPv6 address keeps its brackets.
    package let host: String
    package let port: Int
    /// The complete URL, as normalised by libcurl, to be used in a request.
    package let url: String

    /// Parses a URL.
    /// - Returns: nil for an invalid URL, and for a scheme other than `http` and `https`.
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

    /// The value of the `Host` header.
    package var authority: String { port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)" }

    /// The path and the query.
    package var target: String {
        let rest = url.dropFirst(scheme.count + 3).drop { $0 != "/" && $0 != "?" && $0 != "#" }.prefix { $0 != "#" }
        return rest.first == "/" ? String(rest) : "/" + rest
    }

    /// Whether both URLs have equal scheme, host and port.
    package func hasSameOrigin(as other: WebAddress) -> Bool {
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
