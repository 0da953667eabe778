import GRDB
import StoreService
import SyncModel

/// Loads objects from the file, as JSON bytes.
extension StoredObject {

    /// Loads an object by its present id, without a check of rights; nil if the object is missing or clients do not see
    /// it.
    init?(_ className: String, _ objectId: String, in db: Database) throws {
        guard let found = try Self.row(className, objectId, in: db) else { return nil }
        self = found.object
    }

    /// An object and the value of its column `acl`.
    typealias Row = (object: StoredObject, acl: Int64)

    /// The columns that `init` reads.
    static let columns = "id, view, state, base_standing, pk, \(ContentMark.column)"

    private static let byId = "SELECT \(columns), acl FROM objects WHERE class = ? AND id = ? AND view IS NOT NULL"

    /// Loads an object and the value of its column `acl` by its present id; nil if the object is missing or clients do
    /// not see it.
    static func row(_ className: String, _ objectId: String, in db: Database) throws -> Row? {
        try db.firstRow(byId, [className, objectId], row)
    }

    static func row(_ className: String, _ objectId: String, from readers: ReaderPool) throws -> Row? {
        try readers.firstRow(byId, [className, objectId], row)
    }

    private static func row(_ row: SQLiteRow) throws -> Row { (try StoredObject(row), row.integer(6)) }

    init(_ row: SQLiteRow) throws {
        self.init(
            objectId: row.text(0), json: Array(row.bytes(1)),
            state: try .stored(Int(row.integer(2)), as: "an object's state"),
            isHidden: row.integer(3) == BaseStanding.hidden.rawValue,
            contentMark: ContentMark(key: row.integer(4), number: row.integer(5)))
    }
}
