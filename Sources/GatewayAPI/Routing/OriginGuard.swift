import HTTPServer
import HTTPTypes
import HeaderNames

/// Refuses requests that a page of another site may have caused.
///
/// A web site can make a visitor's browser send requests to localhost in two ways. In DNS rebinding, the site's own host name
/// resolves to 127.0.0.1, and `Host` names the site. A direct request, such as a POST of `text/plain`, needs no preflight, and
/// `Origin` names the site.
struct OriginGuard: Sendable {
    enum Verdict: Hashable {
        case passed
        /// The request comes from a page of an allowed origin. The response must name the origin.
        case passedFrom(origin: String)
        /// A CORS preflight from an allowed origin.
        case preflight(origin: String)
        case refused(reason: String)
        /// A refused navigation from another site. The response links to the gateway's page.
        case refusedVisit

        /// The origin that the response names; nil for none.
        var allowedOrigin: String? {
            switch self {
            case .passedFrom(let origin), .preflight(let origin): origin
            case .passed, .refused, .refusedVisit: nil
            }
        }
    }

    /// The allowed hosts. A name without a port allows every port; a name with a port allows only that one.
    private let hosts: Set<String>
    private let origins: Set<String>

    init(allowedHosts: [String], allowedOrigins: [String]) {
        let bracketed = allowedHosts.map { $0.count(where: { $0 == ":" }) > 1 && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
        hosts = Set((bracketed + ["localhost", "127.0.0.1", "[::1]"]).map { $0.lowercased() })
        origins = Set(allowedOrigins.map { $0.lowercased() })
    }

    /// - Parameter line: the line of the request. Its route determines which uses by pages of other sites are allowed.
    func check(_ request: HTTPServerRequest, _ line: RequestLine) -> Verdict {
        guard let host = request.headers.first(.hostName)?.lowercased(), !host.isEmpty else {
            return .refused(reason: "the Host header is missing")
        }
        guard isAllowed(host: host) else { return .refused(reason: "the Host header names an unknown host") }
        guard let origin = request.headers.first(.origin)?.lowercased() else {
            return checkFetchMetadata(request, line)
        }
        if origin == request.scheme + "://" + host { return .passed }
        // A browser may send `Origin: null` for a form post of a page with the policy `no-referrer`, even to the page's own
        // origin. Pages cannot forge `Sec-Fetch-Site`.
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

    /// Checks the fetch metadata (`Sec-Fetch-…`) of a request without `Origin`, such as one for an image on another site.
    ///
    /// A page of another site cannot read the response, but it can cause load and measure the time until the response. Such a
    /// page may therefore only embed files, whose URLs are unguessable, and link to the gateway's page and `/openapi.yaml`.
    private func checkFetchMetadata(_ request: HTTPServerRequest, _ line: RequestLine) -> Verdict {
        let headers = request.headers
        guard let site = headers.first(.secFetchSite) else { return checkOldBrowser(request, line) }
        guard site != "same-origin", site != "none" else { return .passed }
        let access = crossSite(request, line)
        if access == .embed { return .passed }
        let isVisit = headers[.secFetchMode] == "navigate" && ["document", nil].contains(headers[.secFetchDest])
        guard isVisit, request.method == .get || request.method == .head else { return Self.foreignSite }
        return access == .nothing ? .refusedVisit : .passed
    }

    /// Checks a request without `Sec-Fetch-Site`. Old browsers omit this header, and all browsers omit it if the gateway's
    /// address is not loopback. A browser's request counts as coming from another site, unless it has a header that pages of
    /// other sites cannot send without a preflight. Requests of programs pass.
    private func checkOldBrowser(_ request: HTTPServerRequest, _ line: RequestLine) -> Verdict {
        let headers = request.headers
        // Every browser sends a `User-Agent` with this prefix, and so does PowerShell, which runs no pages.
        guard let agent = headers.first(.userAgent), agent.hasPrefix("Mozilla/"), !agent.contains("PowerShell"),
            !headers.contains(where: Self.needsPreflight)
        else { return .passed }
        guard request.method == .get || request.method == .head else { return Self.foreignSite }
        guard crossSite(request, line) == .nothing else { return .passed }
        return headers[.accept]?.contains("text/html") == true ? .refusedVisit : Self.foreignSite
    }

    /// Whether a browser sends this header for a page of another site only after a preflight, which the gateway refuses.
    private static func needsPreflight(_ field: HTTPField) -> Bool {
        let name = field.name.canonicalName
        if name.hasPrefix("x-tidegate-") || name.hasPrefix("x-parse-") { return true }
        // `Authorization: Basic` needs no preflight: for a URL with a password, a browser sends it without one.
        return name == "authorization" && field.value.lowercased().hasPrefix("bearer ")
    }

    /// The use of the response that the route allows to pages of other sites; `nothing` if the request is not a read.
    private func crossSite(_ request: HTTPServerRequest, _ line: RequestLine) -> RoutePolicy.CrossSite {
        guard request.method == .get || request.method == .head else { return .nothing }
        return line.route?.policy.crossSite ?? .nothing
    }
}
