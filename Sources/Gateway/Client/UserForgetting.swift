import Foundation
import GatewayAPI

/// Exports and removes the data of a user, for `tidegate user forget`.
package struct UserForgetting: Sendable {
    private let data: any UserData

    package init(_ data: any UserData) { self.data = data }

    /// Removes the data of a user.
    /// - Parameters:
    ///   - user: the id of the user, or the name if no user has the id.
    ///   - path: a new file for the unsent data; nil for no export. The file is on disk before anything is removed.
    /// - Returns: the user, and the number of exported entries.
    /// - Throws: `ConfigurationError` if the file exists or cannot be written; the errors of `UserData`.
    package func forget(_ user: String, exportingTo path: String?) async throws -> (user: KnownUser, entries: Int) {
        guard let path else { return (try await data.forget(user, exported: nil), 0) }
        // The gateway records each export in the audit log, so the file is created before the export is requested.
        let file = try Self.make(path)
        let export: UserExport
        do {
            defer { close(file) }
            export = try await data.export(of: user)
            try Self.write(Array(export.lines.utf8), to: file, path)
        } catch {
            unlink(path)
            throw error
        }
        return (try await data.forget(export.user.objectId, exported: export.digest), export.entries.count)
    }

    private static func make(_ path: String) throws(ConfigurationError) -> Int32 {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("make", path) }
        return file
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(ConfigurationError) {
        var written = 0
        while written < bytes.count {
            let rest = Array(bytes[written...].prefix(1 << 20))
            let count = Foundation.write(file, rest, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            written += count
        }
        guard fsync(file) == 0 else { throw failure("write", path) }
        let parent = (path as NSString).deletingLastPathComponent
        let folder = open(parent.isEmpty ? "." : parent, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("open", parent) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("write to", parent) }
    }

    private static func failure(_ operation: String, _ path: String) -> ConfigurationError {
        ConfigurationError("--export: cannot \(operation) \(path): \(String(cString: strerror(errno)))")
    }
}
