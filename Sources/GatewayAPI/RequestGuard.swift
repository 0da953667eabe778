import HTTPServer
import HTTPTypes

/// Decides who may speak to the gateway at all, from a request's headers alone.
///
/// A web site can make a visitor's browser send requests to localhost: by a name that it points at 127.0.0.1
/// (DNS rebinding: `Host` is foreign), or plainly, since a POST of `text/plain` needs no preflight (`Origin` is foreign).
struct RequestGuard: Sendable {
    enum Verdict: Hashable {
        case passed
        /// From a page of another origin that the configuration allows: the answer must name it.
        case passedFrom(origin: String)
        /// A browser asks whether a page of an allowed origin may send a request.
        case preflight(origin: String)
        case refused(reason: String)
    }

    /// Names without a port allow every port, names with one allow that one.
    private let hosts: Set<String>
    private let origins: Set<String>

    init(allowedHosts: [String], allowedOrigins: [String]) {
        let bracketed = allowedHosts.map { $0.count(where: { $0 == ":" }) > 1 && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
        hosts = Set((bracketed + ["localhost", "127.0.0.1", "[::1]"]).map { $0.lowercased() })
        origins = Set(allowedOrigins.map { $0.lowercased() })
    }

    func check(_ request: HTTPServerRequest) -> Verdict {
        guard let host = request.headers.first(.hostName)?.lowercased(), !host.isEmpty else {
            return .refused(reason: "the Host header is missing")
        }
        guard isAllowed(host: host) else { return .refused(reason: "this gateway does not go by the name in Host") }
        guard let origin = request.headers.first(.origin)?.lowercased() else { return checkFetchMetadata(request) }
        if origin == "http://" + host { return .passed }
        // A page that sends no referrer may have its own origin blanked in form posts; this header cannot be forged.
        if origin == "null", request.headers[.secFetchSite] == "same-origin" { return .passed }
        guard origins.contains(origin) else { return .refused(reason: "requests from this Origin are not allowed") }
        let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        let sent = request.headers[.origin] ?? origin
        return isPreflight ? .preflight(origin: sent) : .passedFrom(origin: sent)
    }

    private func isAllowed(host: String) -> Bool {
        if hosts.contains(host) { return true }
        let bytes = host.utf8
        guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")),
            bytes[bytes.index(after: colon)...].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return false }
        return hosts.contains(String(host[..<colon]))
    }

    /// Without `Origin` a browser may still say that another site's page asks, as it does for images and scripts.
    /// Following a link to the gateway is what a person does, and shows that site nothing. Nor does an image from here: who
    /// knows its address may see it.
    private func checkFetchMetadata(_ request: HTTPServerRequest) -> Verdict {
        guard let site = request.headers.first(.secFetchSite), site == "cross-site" || site == "same-site" else {
            return .passed
        }
        guard request.method == .get || request.method == .head else {
            return .refused(reason: "requests from other sites are not allowed")
        }
        let isFollowedLink =
            request.headers[.secFetchMode] == "navigate"
            && ["document", nil].contains(request.headers[.secFetchDest])
        let isFile = (try? RoutePath(request.path)).flatMap { RouteTable.match(.get, $0)?.endpoint } == .getFile
        return isFollowedLink || isFile ? .passed : .refused(reason: "requests from other sites are not allowed")
    }
}
