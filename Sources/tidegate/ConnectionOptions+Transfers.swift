import Foundation
import Gateway
import LocalStore

extension ConnectionOptions {
    /// The exports and imports of the selected gateway: under the session, or with the gateway's master key if the key is
    /// found.
    /// - Parameter maintenanceKey: the gateway's maintenance key; nil to take the key in the environment, if there is
    ///   one. The key of a stopped gateway is known, and is not used under a session.
    /// - Throws: `ConfigurationError`, `GatewayError` or `GatewayClientError`.
    func transfers(
        maintenanceKey: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> Transfers {
        switch try place(environment: environment) {
        case .running:
            let named = environment[Setting.localMaintenanceKey.variable].flatMap { $0.isEmpty ? nil : $0 }
            return Transfers(
                try await client(.best, stallTimeout: .seconds(600), environment: environment),
                maintenanceKey: maintenanceKey ?? named)
        case .stopped(let directory):
            let stopped = try await StoppedGateway(
                in: directory, stores: LocalStoreKind(), logger: Self.quietLogger)
            guard let token = try sessionToken() else {
                return Transfers(stopped.client, maintenanceKey: stopped.maintenanceKey)
            }
            return Transfers(try stopped.client(sessionToken: token))
        }
    }
}
