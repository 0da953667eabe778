import GRDB
import StoreService
import SyncModel

/// Stored objects, read directly from SQLite's rows.
extension StoredObject {

    /// Loads an object by its present id; nil if the object is missing or has no view.
    init?(_ className: String, _ objectId: String, in db: Database) throws {
        let found = try db.firstRow(
            "SELECT id, view, state, base_standing FROM objects WHERE class = ? AND id = ? AND view IS NOT NULL",
            [className, objectId]
        ) { try StoredObject($0) }
        guard let found else { return nil }
        self = found
    }

    init(_ row: SQLiteRow) throws {
        self.init(
            objectId: row.text(0), json: Array(row.bytes(1)),
            state: try .stored(Int(row.integer(2)), as: "an object's state"),
            isHidden: row.integer(3) == BaseStanding.hidden.rawValue)
    }
}
