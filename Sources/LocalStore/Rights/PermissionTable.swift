import GRDB
import ParseModel

/// Reads the stored permissions of classes (`classLevelPermissions`).
struct PermissionTable {
    let db: Database
    /// Whether a class without a stored schema gives no permission. True in a site replica, where the remote has not described
    /// such a class yet. Otherwise the class gives every permission.
    let closesUnknown: Bool

    init(db: Database, closesUnknown: Bool = false) { (self.db, self.closesUnknown) = (db, closesUnknown) }

    /// The permissions of a class; nil if none are set.
    func permissions(of className: String) throws -> JSONObject? {
        let stored: JSONObject?? = try db.firstRow("SELECT permissions FROM schemas WHERE class = ?", [className]) {
            // JSON that is not an object gives no permission.
            $0.textIfAny(0) == nil ? nil : try $0.object(0) ?? [:]
        }
        return stored ?? (closesUnknown ? [:] : nil)
    }

    /// The rights that the permissions of a class give.
    func rights(of className: String) throws -> ClassRights {
        let isDescribed = { try db.isTrue("SELECT EXISTS (SELECT 1 FROM schemas WHERE class = ?)", [className]) }
        return ClassRights(
            className, permissions: try permissions(of: className), isUndescribed: try closesUnknown && !isDescribed())
    }

    /// The permissions of all classes with permissions, sorted by class.
    func all() throws -> [(className: String, permissions: JSONObject)] {
        try db.rows("SELECT class, permissions FROM schemas WHERE permissions IS NOT NULL ORDER BY class") {
            ($0.text(0), try $0.object(1) ?? [:])
        }
    }
}
