import GRDB
import StoreService
import SyncModel

extension RemoteOutline {
    /// Reads the facts about the remote from the SQLite file in a data directory, which another process may be using.
    /// - Returns: nil without a file, and for the file of a standalone gateway.
    /// - Throws: `StoreError` if the file is unreadable.
    init?(directory: String) throws {
        guard let outline = try UnopenedFile.read(in: directory, of: .replica, { try Self.read($0) }) else {
            return nil
        }
        self = outline
    }

    private static func read(_ db: Database) throws -> RemoteOutline {
        let classes = ClassMappings(db: db)
        // A file of an earlier version has no mappings and no authors.
        let isComplete = try Migrations.isComplete(db)
        let names = try isComplete ? ClassTable(db: db).all(pulledBy: .gateway).map(\.name) : []
        return RemoteOutline(
            remote: try StoreIdentity.Remote(storedIn: db),
            mappings: Dictionary(uniqueKeysWithValues: try names.map { ($0, try classes.mapping(of: $0)) }),
            people: try PeopleMode.stored(in: db),
            hasSynced: try Meta.value(of: Meta.lastSyncKey, in: db) != nil,
            wasSite: try PeopleMode.wasSite(db),
            waitingAuthors: isComplete ? try Authors(db: db).waiting().count : 0,
            limits: try Meta.value(of: StoreIdentity.limitsKey, in: db))
    }
}
