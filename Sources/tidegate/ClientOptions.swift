import ArgumentParser
import Foundation
import Gateway

/// Which running gateway to talk to.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The gateway. Default: http://127.0.0.1:1338. (TIDEGATE_URL)", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("Its access key, where it wants one. Better by TIDEGATE_ACCESS_KEY.", valueName: "key"))
    var accessKey: String?

    /// - Throws: `ConfigurationError` for an address that is none.
    func client(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> GatewayClient {
        func given(_ option: String?, or variable: String) -> String? {
            option ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        let url = given(url, or: "TIDEGATE_URL") ?? "http://\(ListenAddress.standard)"
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ConfigurationError("--url: must begin with http:// or https://")
        }
        return GatewayClient(
            url: url.hasSuffix("/") ? String(url.dropLast()) : url,
            accessKey: given(accessKey, or: ConfigurationKey.accessKey.variable))
    }
}
