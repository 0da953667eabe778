import Foundation

@testable import Gateway

/// Loads a configuration in an environment with only a home directory.
func load(
    _ arguments: [Setting: [String]] = [:], _ environment: [String: String] = [:], file: String? = nil,
    remotes: RemoteFactory = .standard
) throws(ConfigurationError) -> GatewayConfiguration {
    let directories = StandardDirectories(
        environment: ["HOME": "/home/ada"], current: "/home/ada/here", executable: nil)
    return try .load(
        arguments: arguments, environment: environment, file: file, directories: directories, remotes: remotes)
}

extension GatewayConfiguration {
    /// The configuration without the sources of its settings.
    var withoutSources: GatewayConfiguration {
        var configuration = self
        configuration.settings = []
        return configuration
    }
}

extension TemporaryDirectory {
    /// Makes a directory with empty files at these paths.
    convenience init(files: [String]) throws {
        try self.init()
        for file in files {
            let url = URL(filePath: path).appending(path: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
    }
}

/// A YAML settings file that is deleted when this value is released.
final class SettingsFile: Sendable {
    private let directory: TemporaryDirectory
    let path: String

    init(_ text: String) throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/tidegate.yaml"
        try Data(text.utf8).write(to: URL(filePath: path))
        // Settings files usually contain keys, so others must not be able to read this one.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
