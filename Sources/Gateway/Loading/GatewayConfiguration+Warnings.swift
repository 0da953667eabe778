import Foundation
import GatewayAPI

/// Warnings about risky settings, about unknown variables, and about changes that need a restart.
extension GatewayConfiguration {
    /// Warnings about settings without effect, one line each.
    package var notes: [String] {
        guard remote == nil else {
            guard compatibility != GatewayConfiguration(dataDirectory: "").compatibility else { return [] }
            return [
                "\(Setting.compatibility.option) has no effect with a remote: the remote's version decides about the answers."
            ]
        }
        guard !classes.isEmpty else { return [] }
        let names = classes.joined(separator: ", ")
        return [
            "\(Setting.className.option) \(names) is given without a remote: this gateway is standalone, and nothing is "
                + "synced. Add \(Setting.remote.option) URL to follow a server."
        ]
    }

    /// The warnings for the log at start, one line each.
    package var warnings: [String] {
        var warnings = unknownVariables.map { "\($0) is not a setting and has no effect" }
        warnings += removedSettings
        if let remote, remote.sendsKeysInTheClear {
            warnings.append(
                "the remote \(remote.url) is reached by plain http: keys and data cross the network unencrypted; use https"
            )
        }
        if let exposedFile {
            warnings.append(
                "\(exposedFile.path) holds keys and can be read by other users of this machine: \(exposedFile.advice)")
        }
        if people.exposesSessionKey, let path = people.sessionKeyFile {
            warnings.append(
                "\(path) holds the key that encrypts session tokens and can be read by other users of this machine: "
                    + "'serve' restricts the file to its owner")
        }
        return warnings
    }

    /// The settings that a running gateway applies without a restart.
    private static let changeable: [Setting] = [.logLevel, .backupDir, .backupEvery, .backupKeep]

    /// The names of the settings that have changed, and that a running gateway cannot apply.
    /// - Parameter running: the configuration of the running gateway.
    package func settingsForRestart(since running: GatewayConfiguration) -> [String] {
        let names = Set(Self.changeable.map(\.name))
        let changed = zip(settings, running.settings).filter { $0 != $1 && !names.contains($0.name) }.map(\.0.name)
        // The list of settings does not contain the values of keys.
        let keys: [(name: String, isSame: Bool)] = [
            ("access-key", accessKey == running.accessKey), ("keys of clients", localKeys == running.localKeys),
            ("keys of the remote", remote == running.remote),
        ]
        return changed + (changed.isEmpty ? keys.filter { !$0.isSame }.map(\.name) : [])
    }
}

extension GatewayConfiguration.Remote {
    /// True if keys are sent to another machine over plain `http`.
    fileprivate var sendsKeysInTheClear: Bool {
        guard restKey != nil || masterKey != nil || token != nil, let parts = URLComponents(string: url),
            parts.scheme == "http",
            let host = parts.host
        else { return false }
        return !ListenAddress.isLoopback(host: host)
    }
}
