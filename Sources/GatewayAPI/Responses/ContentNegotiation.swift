import HTTPServer
import HTTPTypes

/// Answers 304 to a client that already has the response, and compresses large responses for clients that accept gzip.
enum ContentNegotiation {
    /// The size in bytes from which a body is compressed. Compressing a smaller body costs more time than it saves.
    static let compressedBytesMin = 8192
    /// The size in bytes up to which a body is compressed on the server's thread. A larger body is compressed in a task.
    private static let compressedAtOnceMax = 64 << 10

    /// Whether the response is finished in a task, because its body is large and the client accepts gzip.
    static func takesLong(_ response: HTTPServerResponse, _ exchange: Exchange) -> Bool {
        response.body.count > compressedAtOnceMax && acceptsGzip(exchange.request.headers)
    }

    /// Adds an `ETag` to a read's response with status 200. Replaces the response by 304 if the client has the body.
    static func tag(_ response: inout HTTPServerResponse, _ exchange: Exchange) {
        guard exchange.isRead, response.status == .ok, response.headers.first(.eTag) == nil, !response.body.isEmpty
        else { return }
        let tag = EntityTag.tag(of: response.body)
        // The headers contain no `ETag`, so `append` needs no search for one.
        response.headers.append(HTTPField(name: .eTag, value: tag))
        guard EntityTag.isKnown(tag, to: exchange.request.headers) else { return }
        response.status = .notModified
        response.headers[.contentType] = nil
        response.body = []
    }

    /// Compresses a large body of text for a client that accepts gzip.
    static func compress(_ response: inout HTTPServerResponse, _ exchange: Exchange) {
        guard response.body.count >= compressedBytesMin, response.headers[.contentEncoding] == nil,
            isText(response.headers[.contentType] ?? "")
        else { return }
        if acceptsGzip(exchange.request.headers) { response = response.gzipped() }
        // A cache must keep the compressed and the plain form apart, and serve each to clients that accept it.
        response.headers[.vary] = "Accept-Encoding"
    }

    private static func isText(_ type: String) -> Bool {
        ["application/json", "text/", "application/yaml", "image/svg", "application/manifest+json"]
            .contains { type.hasPrefix($0) }
    }

    /// Whether `Accept-Encoding` allows gzip (RFC 9110 §12.5.3). The entry of gzip decides, or without one the entry of `*`. An
    /// entry with `q=0` forbids gzip.
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
