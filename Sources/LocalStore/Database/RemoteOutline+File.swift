import Foundation
import GRDB
import StoreService
import SyncModel

extension RemoteOutline {
    /// Reads the outline from the SQLite file of a data directory, which another process may be using.
    /// - Returns: nil without a file, and for the file of a standalone gateway.
    /// - Throws: `StoreError` if the file is unreadable.
    init?(directory: String) throws {
        let path = directory + "/tidegate.sqlite"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let outline = try DatabaseQueue(path: path, configuration: configuration).read { db in
                try Migrations.isNew(db, path: path) ? nil : try Self.read(db)
            }
            guard let outline else { return nil }
            self = outline
        } catch {
            throw StoreError.wrapping(error, operation: "read \(path)")
        }
    }

    private static func read(_ db: Database) throws -> RemoteOutline? {
        guard try Meta.value(of: "mode", in: db) == "replica" else { return nil }
        let classes = ClassMappings(db: db)
        // A file of an earlier version has no mappings.
        let names = try Migrations.isComplete(db) ? ClassTable(db: db).all(pulledBy: .gateway).map(\.name) : []
        return RemoteOutline(
            remote: try StoreIdentity.Remote(storedIn: db),
            mappings: Dictionary(uniqueKeysWithValues: try names.map { ($0, try classes.mapping(of: $0)) }))
    }
}
