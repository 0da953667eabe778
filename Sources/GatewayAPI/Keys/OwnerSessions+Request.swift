import HTTPServer
import HTTPTypes
import HeaderNames

extension OwnerSessions {
    /// Whether a request has a session of the owner. It must come from this machine.
    func accept(_ request: HTTPServerRequest) -> Bool {
        guard request.peer.isLoopback, let secrets = Secrets(of: request) else { return false }
        return has(secrets)
    }
}

extension OwnerSessions.Secrets {
    /// The secrets in a request: the id in the cookie, the proof in its header. Nil without one of them.
    init?(of request: HTTPServerRequest) {
        guard let proof = request.headers[.tidegateOwner], let id = Self.cookie(of: request) else { return nil }
        self.init(id: id, proof: proof)
    }

    /// A cookie that scripts cannot read, and that no request from another site has. It ends with the browser.
    static func cookie(_ id: String, for request: HTTPServerRequest) -> String {
        "\(name(for: request))=\(id); Path=/; HttpOnly; SameSite=Strict"
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

    /// The name of the cookie. Cookies do not belong to a port, so the name has the port: gateways of one machine keep theirs apart.
    private static func name(for request: HTTPServerRequest) -> String {
        let port = (request.headers[.hostName] ?? "").split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        return "tidegate-owner-\(port)"
    }
}
