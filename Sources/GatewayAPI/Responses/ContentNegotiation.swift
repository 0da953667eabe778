import HTTPServer
import HTTPTypes

/// Answers a client that has the response already with 304, and compresses large responses for clients that accept gzip.
enum ContentNegotiation {
    /// Compressing a smaller body takes longer than it saves.
    static let compressedBytesMin = 8192
    /// Compressing a larger body would keep the server's own thread.
    private static let compressedAtOnceMax = 64 << 10

    /// Whether the body is large and will be compressed.
    static func takesLong(_ response: HTTPServerResponse, _ exchange: Exchange) -> Bool {
        response.body.count > compressedAtOnceMax && acceptsGzip(exchange.request.headers)
    }

    /// Adds an `ETag` to the answer of a read, and drops the body where the client has it.
    static func tag(_ response: inout HTTPServerResponse, _ exchange: Exchange) {
        guard exchange.isRead, response.status == .ok, response.headers.first(.eTag) == nil, !response.body.isEmpty
        else { return }
        let tag = EntityTag.tag(of: response.body)
        // The headers have no tag yet, so nothing is replaced.
        response.headers.append(HTTPField(name: .eTag, value: tag))
        guard EntityTag.isKnown(tag, to: exchange.request.headers) else { return }
        response.status = .notModified
        response.headers[.contentType] = nil
        response.body = []
    }

    /// Compresses a large body for a client that accepts gzip.
    static func compress(_ response: inout HTTPServerResponse, _ exchange: Exchange) {
        guard response.body.count >= compressedBytesMin, response.headers[.contentEncoding] == nil,
            isText(response.headers[.contentType] ?? "")
        else { return }
        if acceptsGzip(exchange.request.headers) { response = response.gzipped() }
        // A cache must not give the one form to a client that accepts the other alone.
        response.headers[.vary] = "Accept-Encoding"
    }

    private static func isText(_ type: String) -> Bool {
        ["application/json", "text/", "application/yaml", "image/svg", "application/manifest+json"]
            .contains { type.hasPrefix($0) }
    }

    /// Whether `Accept-Encoding` names gzip, or anything, without `q=0` (RFC 9110 §12.5.3).
    static func acceptsGzip(_ headers: HTTPFields) -> Bool {
        guard let codings = headers.first(.acceptEncoding) else { return false }
        var (named, any) = (Bool?.none, false)
        for coding in codings.lowercased().split(separator: ",") {
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if name == "gzip" || name == "x-gzip" { named = weight > 0 }
            if name == "*" { any = weight > 0 }
        }
        return named ?? any
    }
}
