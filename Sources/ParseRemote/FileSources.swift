import HTTPClient
import HTTPTypes

/// The addresses from which files are downloaded. A row may name any address, but its author must not be able to make this
/// machine send requests to servers that only this machine can reach.
///
/// The remote's own scheme, host and port, and the hosts of the settings, are allowed at any address. All other hosts are allowed
/// only at a public address. The address of the connection decides. Behind a proxy it is unknown, so only host names decide.
package struct FileSources: Sendable {
    /// Hosts in lower case, with or without a port: `files.lan`, `10.0.0.5:9000`.
    package var hosts: [String]
    /// Whether an address is this gateway's own. Files are never downloaded from it.
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

    /// A refused download address.
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

    /// The refusal of a connection to an address.
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
