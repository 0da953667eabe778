import HTTPClient
import HTTPTypes

/// Decides from which URLs files are downloaded. Every client that may write a row can put any URL into it. Such a URL
/// must not make this gateway send requests to servers of the private network around the gateway.
///
/// The remote's origin (scheme, host and port) and the hosts of `--file-hosts` may have any IP address except the
/// gateway's own. All other hosts must have a public IP address. The address of the actual connection is checked.
/// Behind a proxy, that address is unknown, so only the remote's origin and the hosts of `--file-hosts` are allowed.
package struct FileSources: Sendable {
    /// The hosts of `--file-hosts` in lower case, with or without a port: `files.lan`, `10.0.0.5:9000`.
    package var hosts: [String]
    /// Whether a socket address belongs to this gateway. Files are never downloaded from the gateway's own addresses.
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

    /// The reason why a file is not downloaded.
    package struct Refusal: Error, Hashable {
        package let reason: String
    }

    /// The request that downloads a file.
    /// - Parameters:
    ///   - text: the URL of the file.
    ///   - remote: the URL of the remote.
    /// - Throws: `Refusal` if the URL is not allowed.
    package func request(for text: String, of remote: WebAddress?) throws(Refusal) -> HTTPClientRequest {
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

    /// The reason to end a download whose connection would go to a forbidden IP address.
    /// - Parameters:
    ///   - text: the URL of the file.
    ///   - address: the IP address of the connection.
    package func refusal(of text: String, at address: String) -> Refusal {
        let host = WebAddress(text)?.host ?? address
        return Refusal(
            reason: "Files are not fetched from \(host): \(address) is no public address, and the host is neither the "
                + "remote's own address nor one of --file-hosts.")
    }

    private func lists(_ address: WebAddress) -> Bool {
        hosts.contains(address.host) || hosts.contains("\(address.host):\(address.port)")
    }
}
