import HTTPServer
import HTTPTypes
import HeaderNames

extension OwnerSessions {
    /// Whether a request comes from this machine and has a browser session of the person who runs the gateway.
    func accept(_ request: HTTPServerRequest) -> Bool {
        guard request.peer.isLoopback, let secrets = Secrets(of: request) else { return false }
        return has(secrets)
    }
}

extension OwnerSessions.Secrets {
    /// The secrets in a request: the id in the cookie, the proof in its header. Nil if one is missing.
    init?(of request: HTTPServerRequest) {
        guard let proof = request.headers[.tidegateOwner], let id = Self.cookie(of: request) else { return nil }
        self.init(id: id, proof: proof)
    }

    /// A cookie that scripts cannot read, that browsers do not send with requests from other sites, and that ends when
    /// the browser is closed. With TLS, browsers send it over TLS only.
    static func cookie(_ id: String, for request: HTTPServerRequest) -> String {
        "\(name(for: request))=\(id); Path=/; HttpOnly; SameSite=Strict\(request.scheme == "https" ? "; Secure" : "")"
    }

    private static func cookie(of request: HTTPServerRequest) -> String? {
        let prefix = name(for: request) + "="
        for field in request.headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                if pair.hasPrefix(prefix) { return String(pair.dropFirst(prefix.count)) }
            }
        }
        return nil
    }

    /// The name of the cookie. It contains the port, because browsers send a cookie to all ports of a host. The
    /// gateways of one machine therefore use different cookies.
    private static func name(for request: HTTPServerRequest) -> String {
        let port = (request.headers[.hostName] ?? "").split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        return "tidegate-owner-\(port)"
    }
}
