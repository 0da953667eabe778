import GRDB
import StoreService
import SyncModel

/// Stored objects, read directly from SQLite's rows.
extension StoredObject {

    /// Loads an object by its present id, with full rights; nil if the object is missing or has no view.
    init?(_ className: String, _ objectId: String, in db: Database) throws {
        guard let found = try Self.withACL(className, objectId, in: db) else { return nil }
        self = found.object
    }

    /// Loads an object by its present id; nil if the object is missing or has no view.
    static func withACL(_ className: String, _ objectId: String, in db: Database) throws -> ObjectCache.Entry? {
        try db.firstRow(
            "SELECT id, view, state, base_standing, acl FROM objects WHERE class = ? AND id = ? AND view IS NOT NULL",
            [className, objectId]
        ) { ObjectCache.Entry(object: try StoredObject($0), acl: $0.integer(4)) }
    }

    init(_ row: SQLiteRow) throws {
        self.init(
            objectId: row.text(0), json: Array(row.bytes(1)),
            state: try .stored(Int(row.integer(2)), as: "an object's state"),
            isHidden: row.integer(3) == BaseStanding.hidden.rawValue)
    }
}
