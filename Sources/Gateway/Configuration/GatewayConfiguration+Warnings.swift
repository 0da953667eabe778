import Foundation

/// Settings that can be used, and had better be otherwise.
extension GatewayConfiguration {
    /// One line each, for the log at the start.
    package var warnings: [String] {
        var warnings = unknownVariables.map { "\($0) is not a setting and has no effect" }
        if let remote, remote.sendsKeysInTheClear {
            warnings.append(
                "the remote \(remote.url) is reached by plain http: keys and data cross the network unencrypted; use https"
            )
        }
        if let exposedFile {
            warnings.append(
                "\(exposedFile) holds keys and can be read by other users of this machine: chmod 600 \(exposedFile)")
        }
        return warnings
    }
}

extension GatewayConfiguration.Remote {
    /// Plain `http` to another machine, with a key.
    fileprivate var sendsKeysInTheClear: Bool {
        guard restKey != nil || masterKey != nil, let parts = URLComponents(string: url), parts.scheme == "http",
            let host = parts.host
        else { return false }
        return !ListenAddress.isLoopback(host: host)
    }
}
