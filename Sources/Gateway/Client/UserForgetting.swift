import Foundation
import GatewayAPI
import StoreService

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
        try Self.inOption { () throws(StoreError) in try DurableFile.make([], at: path) }
        let export: UserExport
        do {
            export = try await data.export(of: user)
            let bytes = Array(export.lines.utf8)
            try Self.inOption { () throws(StoreError) in try DurableFile.replace(path, with: bytes) }
        } catch {
            unlink(path)
            throw error
        }
        return (try await data.forget(export.user.objectId, exported: export.digest), export.entries.count)
    }

    /// Names the option in the errors of its file.
    private static func inOption(_ write: () throws(StoreError) -> Void) throws(ConfigurationError) {
        do { try write() } catch { throw ConfigurationError("--export: \(error)") }
    }
}
