import Foundation
import GRDB
import StoreService

/// Reads from the file of a standalone gateway without opening it as a store. The file may be in use, and may have an earlier
/// version, which is not migrated.
enum StandaloneFile {
    /// - Returns: nil if the directory has no file, or the file of a replica.
    /// - Throws: `StoreError` if the file is unreadable.
    static func read<Value>(in directory: String, _ read: (Database) throws -> Value) throws -> Value? {
        let path = directory + "/tidegate.sqlite"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            return try DatabaseQueue(path: path, configuration: configuration).read { db in
                guard try !Migrations.isNew(db, path: path), try Meta.value(of: "mode", in: db) == "standalone" else {
                    return nil
                }
                return try read(db)
            }
        } catch {
            throw StoreError.wrapping(error, operation: "read \(path)")
        }
    }
}
