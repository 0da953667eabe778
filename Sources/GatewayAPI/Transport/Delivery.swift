import HTTPServer
import HTTPTypes

/// The last step before an answer goes out: a client that has it already is told so, and one that takes compressed
/// answers gets large ones compressed.
struct Delivery: Sendable {
    /// The answer to a read may be tagged.
    let isRead: Bool
    private let headers: HTTPFields
    private var acceptsGzip: Bool { Self.acceptsGzip(headers) }

    /// Below, compressing takes longer than it saves.
    static let compressedBytesMin = 8192
    /// Above, compressing would keep the server's own thread.
    private static let compressedAtOnceMax = 64 << 10

    init(_ request: HTTPServerRequest, isRead: Bool) {
        self.isRead = isRead
        headers = request.headers
    }

    func delivered(_ reply: HTTPReply) -> HTTPReply {
        switch reply {
        case .now(let response):
            let tagged = tagged(response)
            guard acceptsGzip, tagged.body.count > Self.compressedAtOnceMax else { return .now(packed(tagged)) }
            return .later { packed(tagged) }
        case .later(let response): return .later { packed(tagged(await response())) }
        }
    }

    /// With a tag, where it is the answer to a read; without a body, where the client has it.
    private func tagged(_ response: HTTPServerResponse) -> HTTPServerResponse {
        guard isRead, response.status == .ok, response.headers.first(.eTag) == nil, !response.body.isEmpty else {
            return response
        }
        let tag = EntityTag.tag(of: response.body)
        var response = response
        // There is none yet, so nothing has to be looked for.
        response.headers.append(HTTPField(name: .eTag, value: tag))
        guard EntityTag.isKnown(tag, to: headers) else { return response }
        response.status = .notModified
        response.headers[.contentType] = nil
        response.body = []
        return response
    }

    /// Compressed, where it is large and the client takes that.
    private func packed(_ response: HTTPServerResponse) -> HTTPServerResponse {
        guard response.body.count >= Self.compressedBytesMin, response.headers[.contentEncoding] == nil,
            Self.isText(response.headers[.contentType] ?? "")
        else { return response }
        var response = acceptsGzip ? response.gzipped() : response
        // Caches must not give the one to a client that wants the other.
        response.headers[.vary] = "Accept-Encoding"
        return response
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
