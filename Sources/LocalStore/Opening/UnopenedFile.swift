import Foundation
import GRDB
import StoreService

/// Reads from the SQLite file of a data directory without opening it as a store. The file may be in use, and may have an earlier
/// version, which is not migrated.
enum UnopenedFile {
    enum Mode: String { case standalone, replica }

    /// Reads in one snapshot of the file.
    /// - Returns: nil if the directory has no file, or the file of a gateway of the other mode.
    /// - Throws: `StoreError` if the file is unreadable.
    static func read<Value>(
        in directory: String, of mode: Mode, _ read: (Database) throws -> Value
    ) throws -> Value? {
        let path = directory + "/tidegate.sqlite"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try queue(in: directory).read { db in
                guard try !Migrations.isNew(db, path: path), try Meta.value(of: "mode", in: db) == mode.rawValue else {
                    return nil
                }
                return try read(db)
            }
        } catch {
            throw StoreError.wrapping(error, operation: "read \(path)")
        }
    }

    /// Opens a read-only connection with the functions that the file's indexes use.
    static func queue(in directory: String) throws -> DatabaseQueue {
        var configuration = configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: directory + "/tidegate.sqlite", configuration: configuration)
    }

    static func configuration() -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { QueryFunctions.register(in: $0, Interruption()) }
        return configuration
    }
}
