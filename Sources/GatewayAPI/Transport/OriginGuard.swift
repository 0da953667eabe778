import HTTPServer
import HTTPTypes
import HeaderNames

/// Refuses requests that a page of another site may have caused, from a request's headers alone.
///
/// A web site can make a visitor's browser send requests to localhost: by a name that it points at 127.0.0.1
/// (DNS rebinding: `Host` is foreign), or plainly, since a POST of `text/plain` needs no preflight (`Origin` is foreign).
struct OriginGuard: Sendable {
    enum Verdict: Hashable {
        case passed
        /// From a page of another origin that the configuration allows: the answer must name it.
        case passedFrom(origin: String)
        /// A browser asks whether a page of an allowed origin may send a request.
        case preflight(origin: String)
        case refused(reason: String)
        /// A page of another site leads here. The visitor gets a link to the gateway's own page.
        case refusedVisit

        /// The origin that the response names; nil where it names none.
        var allowedOrigin: String? {
            switch self {
            case .passedFrom(let origin), .preflight(let origin): origin
            case .passed, .refused, .refusedVisit: nil
            }
        }
    }

    /// Names without a port allow every port, names with one allow that one.
    private let hosts: Set<String>
    private let origins: Set<String>

    private let table: RouteTable

    init(allowedHosts: [String], allowedOrigins: [String], table: RouteTable) {
        self.table = table
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

    private static let foreignSite = Verdict.refused(reason: "requests from other sites are not allowed")

    /// Without `Origin` a browser still says whether a page of another site asks, as it does for images, scripts and links.
    ///
    /// Such a page reads no answer, but it may measure how long one takes, and make the gateway work. So it reaches only
    /// the gateway's page, and files, whose addresses are keys to them: both cost little and tell nothing.
    private func checkFetchMetadata(_ request: HTTPServerRequest) -> Verdict {
        let headers = request.headers
        guard let site = headers.first(.secFetchSite) else { return checkOldBrowser(request) }
        guard site != "same-origin", site != "none" else { return .passed }
        let access = crossSite(request)
        if access == .embed { return .passed }
        let isVisit = headers[.secFetchMode] == "navigate" && ["document", nil].contains(headers[.secFetchDest])
        guard isVisit, request.method == .get || request.method == .head else { return Self.foreignSite }
        return access == .nothing ? .refusedVisit : .passed
    }

    /// Browsers older than these headers, and newer ones that reach the gateway by another address than loopback, tell
    /// nothing. Their requests count as another site's unless they carry a header that such a site could not send.
    private func checkOldBrowser(_ request: HTTPServerRequest) -> Verdict {
        let headers = request.headers
        // Each browser names itself so, and so does PowerShell, which runs no pages.
        guard let agent = headers.first(.userAgent), agent.hasPrefix("Mozilla/"), !agent.contains("PowerShell"),
            !headers.contains(where: Self.isBeyondOtherSites)
        else { return .passed }
        guard request.method == .get || request.method == .head else { return Self.foreignSite }
        guard crossSite(request) == .nothing else { return .passed }
        return headers[.accept]?.contains("text/html") == true ? .refusedVisit : Self.foreignSite
    }

    /// Whether a page of another site needs a preflight for the header, which is refused.
    private static func isBeyondOtherSites(_ field: HTTPField) -> Bool {
        let name = field.name.canonicalName
        if name.hasPrefix("x-tidegate-") || name.hasPrefix("x-parse-") { return true }
        // An address with a password in it makes a browser send `Basic`.
        return name == "authorization" && field.value.lowercased().hasPrefix("bearer ")
    }

    /// The access of pages of other sites to the path of a read.
    private func crossSite(_ request: HTTPServerRequest) -> RoutePolicy.CrossSite {
        guard request.method == .get || request.method == .head, let path = try? RoutePath(request.path) else {
            return .nothing
        }
        return table.match(.get, path)?.route.policy.crossSite ?? .nothing
    }
}
