import ArgumentParser
import Foundation
import Gateway

/// The options that select the running gateway to which a command sends its requests.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The URL of the gateway. Default: http://127.0.0.1:1338. (TIDEGATE_URL)", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The gateway's access key, if it requires one. Safer: TIDEGATE_ACCESS_KEY.", valueName: "key"))
    var accessKey: String?

    /// The client for the selected gateway.
    /// - Parameter masterKey: the gateway's master key; nil to send none.
    /// - Throws: `ConfigurationError` if the URL is not an HTTP URL.
    func client(
        masterKey: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> GatewayClient {
        func given(_ option: String?, or variable: String) -> String? {
            option ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        let url = given(url, or: "TIDEGATE_URL") ?? "http://\(ListenAddress.standard)"
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ConfigurationError("--url: must begin with http:// or https://")
        }
        return GatewayClient(
            url: url.hasSuffix("/") ? String(url.dropLast()) : url,
            accessKey: given(accessKey, or: Setting.accessKey.variable), masterKey: masterKey)
    }
}
