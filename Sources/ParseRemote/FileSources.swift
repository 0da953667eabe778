import HTTPClient
import HTTPTypes

/// The addresses from which files are fetched. A row may name any address, and its author must not make this machine send requests to
/// servers that only this machine can reach.
///
/// The remote's own scheme, host and port and the hosts of the settings are allowed at any address, all others only at a public one. The
/// address of the connection decides. Behind a proxy it is unknown, so only names decide.
package struct FileSources: Sendable {
    /// Hosts in lower case, with or without a port: `files.lan`, `10.0.0.5:9000`.
    package var hosts: [String]
    /// Whether an address is this gateway's own. Files are never fetched from it.
    package var isOwn: @Sendable (SocketAddress) -> Bool
    package var proxies: ProxySettings

    package init(
        hosts: [String] = [], proxies: ProxySettings = .live,
        isOwn: @escaping @Sendable (SocketAddress) -> Bool = { _ in false }
    ) {
        self.hosts = hosts
        self.proxies = proxies
        self.isOwn = isOwn
    }

    /// Files are not fetched from the address.
    struct Refusal: Error, Hashable {
        let reason: String
    }

    /// The request for a file.
    /// - Parameter remote: the address of the remote.
    func request(for text: String, of remote: WebAddress?) throws(Refusal) -> HTTPClientRequest {
        guard let address = WebAddress(text) else {
            throw Refusal(reason: "The file's address is neither http nor https.")
        }
        let isNamed = remote?.hasSameOrigin(as: address) == true || lists(address)
        guard isNamed || !proxies.apply(to: address) else {
            throw Refusal(
                reason: "Behind a proxy files are fetched from the remote and from hosts of --file-hosts only, "
                    + "and \(address.host) is neither.")
        }
        return HTTPClientRequest(
            method: .get, url: address.url, headers: [:], isRepeatable: true,
            mayConnect: { [isOwn] in !isOwn($0) && (isNamed || $0.isPublic) }, mayUseProxy: isNamed)
    }

    /// The reason for which no connection to an address was made.
    func refusal(of text: String, at address: String) -> Refusal {
        let host = WebAddress(text)?.host ?? address
        return Refusal(
            reason: "Files are not fetched from \(host): \(address) is no public address, and the host is neither the "
                + "remote's own address nor one of --file-hosts.")
    }

    private func lists(_ address: WebAddress) -> Bool {
        hosts.contains(address.host) || hosts.contains("\(address.host):\(address.port)")
    }
}
