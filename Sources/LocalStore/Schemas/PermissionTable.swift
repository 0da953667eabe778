import GRDB
import ParseModel

/// Reads the stored permissions of classes (`classLevelPermissions`).
struct PermissionTable {
    let db: Database

    /// The permissions of a class; nil if none are set.
    func permissions(of className: String) throws -> JSONObject? {
        try db.firstRow("SELECT permissions FROM schemas WHERE class = ? AND permissions IS NOT NULL", [className]) {
            // Other JSON than an object gives no permission.
            try $0.object(0) ?? [:]
        }
    }

    /// The permissions of all classes that have some.
    func all() throws -> [(className: String, permissions: JSONObject)] {
        try db.rows("SELECT class, permissions FROM schemas WHERE permissions IS NOT NULL ORDER BY class") {
            ($0.text(0), try $0.object(1) ?? [:])
        }
    }
}
