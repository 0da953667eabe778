import Foundation

/// The proxy settings in the environment variables, read by libcurl's rules.
package struct ProxySettings: Sendable {
    private let environment: [String: String]

    package init(environment: [String: String]) { self.environment = environment }

    /// The settings in the environment of this process.
    package static let live = ProxySettings(environment: ProcessInfo.processInfo.environment)

    /// The hosts to reach without a proxy, separated by commas: this machine, and the hosts in `no_proxy`.
    package var hostsWithoutProxy: String {
        (["localhost", "127.0.0.1", "::1"] + (exceptions.map { [$0] } ?? [])).joined(separator: ",")
    }

    /// Whether requests to the address use a proxy. True also if this is uncertain, for example if several variables contradict
    /// each other.
    package func apply(to address: WebAddress) -> Bool {
        // `HTTP_PROXY` is ignored: a CGI program receives a client's `Proxy` header in this variable.
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
