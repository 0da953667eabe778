import Foundation

/// Which addresses are reached through a proxy, as the environment says and libcurl understands it.
package struct ProxySettings: Sendable {
    private let environment: [String: String]

    package init(environment: [String: String]) { self.environment = environment }

    /// Those of this process.
    package static let live = ProxySettings(environment: ProcessInfo.processInfo.environment)

    /// This machine is reached directly also where the environment names a proxy.
    package var hostsWithoutProxy: String {
        (["localhost", "127.0.0.1", "::1"] + (exceptions.map { [$0] } ?? [])).joined(separator: ",")
    }

    /// Whether requests to the address go through a proxy. Where that is doubtful, they do.
    package func apply(to address: WebAddress) -> Bool {
        // The name in capitals of the first one is left out: a CGI program finds a header of its client there.
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
