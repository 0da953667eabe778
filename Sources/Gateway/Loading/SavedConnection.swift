import Foundation
import GatewayAPI
import ParseModel
import StoreService

/// The file in the data directory with the remote that a person has chosen on the page. It has the form of a file of settings. It
/// counts only if no other source names a remote.
package enum SavedConnection {
    static func path(in directory: String) -> String { directory + "/connection.yaml" }

    /// The settings that the file may contain.
    static let settings: [Setting] = [.remote, .remoteKind, .appId, .restKey, .masterKey, .remoteToken, .className]

    /// Writes the file, which only the owner of the data directory can read.
    /// - Throws: `GatewayError` if the file cannot be written.
    static func save(_ values: [Setting: [String]], in directory: String) throws(GatewayError) {
        var lines = ["# The remote that was chosen on the page. Delete this file to disconnect the gateway."]
        for setting in settings {
            guard let texts = values[setting], !texts.isEmpty else { continue }
            // A JSON text is also a YAML text.
            let quoted = texts.map { JSONValue.string($0).jsonText }
            lines.append(
                "\(setting.name): " + (setting.form == .list ? "[\(quoted.joined(separator: ", "))]" : quoted[0]))
        }
        let path = path(in: directory)
        // The connection is on disk before the gateway restarts with it.
        do { try DurableFile.replace(path, with: Array((lines.joined(separator: "\n") + "\n").utf8)) } catch {
            throw GatewayError("\(path) cannot be written: \(error)")
        }
    }

    /// The values of the settings for a remote that was entered on the page.
    static func values(of connection: NewConnection) -> [Setting: [String]] {
        let texts: [Setting: String?] = [
            .remote: connection.url, .remoteKind: connection.kind, .appId: connection.applicationId,
            .restKey: connection.restKey, .masterKey: connection.masterKey, .remoteToken: connection.token,
        ]
        var values = texts.compactMapValues { $0.map { [$0] } }
        if !connection.classes.isEmpty { values[.className] = connection.classes }
        return values
    }

    /// Removes the file, so that the gateway starts without its remote.
    package static func remove(in directory: String) throws {
        try FileManager.default.removeItem(atPath: path(in: directory))
    }

    /// The file of a data directory; nil if there is none.
    static func file(in directory: String) -> String? {
        let path = path(in: directory)
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
}
