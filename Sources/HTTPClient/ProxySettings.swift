import Foundation

/// The proxy settings of the environment, with libcurl's rules.
package struct ProxySettings: Sendable {
    private let environment: [String: String]

    package init(environment: [String: String]) { self.environment = environment }

    /// The settings of this process's environment.
    package static let live = ProxySettings(environment: ProcessInfo.processInfo.environment)

    /// A comma-separated list of hosts that are reached directly: this machine, and the hosts in `no_proxy`.
    package var hostsWithoutProxy: String {
        (["localhost", "127.0.0.1", "::1"] + (exceptions.map { [$0] } ?? [])).joined(separator: ",")
    }

    /// True if requests to the address use a proxy. Ambiguous settings count as a proxy.
    package func apply(to address: WebAddress) -> Bool {
        // `HTTP_PROXY` is ignored, because a CGI program receives the client's `Proxy` header under that name.
        let names = address.scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard (names + ["all_proxy", "ALL_PROXY"]).contains(where: { environment[$0]?.isEmpty == false }) else {
            return false
        }
        let host = address.host.lowercased()
        return !hostsWithoutProxy.lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).contains { name in
            let name = name.drop { $0 == "." }
            return name == "*" || host == name || host.hasSuffix("." + name)
        }
    }

    private var exceptions: String? { environment["no_proxy"] ?? environment["NO_PROXY"] }
}
