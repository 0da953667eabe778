import GRDB
import StoreService

extension EffectiveRights {
    /// The key in `meta` of a mark that is set when an earlier file with ACLs or permissions is migrated, because these
    /// are enforced from then on. The mark is deleted after the rights were reported.
    static let newKey = "new_rights"

    /// Reads the rights from the file in a data directory. The file may have an earlier version.
    /// - Returns: nil if the directory has no file, or the file of a replica.
    init?(directory: String) throws {
        // Files of earlier versions have no column `acl`. The text test avoids parsing most views.
        let hasACL = """
            instr(view, '"ACL":') AND CASE WHEN json_valid(view) THEN json_type(view, '$.ACL') END = 'object'
            """
        guard
            let rights = try UnopenedFile.read(in: directory, of: .standalone, { try EffectiveRights(hasACL, in: $0) })
        else {
            return nil
        }
        self = rights
    }

    /// Counts the objects with an ACL by class, and lists the classes with permissions.
    /// - Parameter condition: the SQL condition for objects with an ACL.
    init(_ condition: String, in db: Database) throws {
        var objects: [String: Int] = [:]
        try db.forEachRow("SELECT class, count(*) FROM objects WHERE \(condition) GROUP BY class") { row in
            objects[row.text(0)] = row.int(1)
        }
        self.init(
            objects: objects, classes: try db.texts("SELECT class FROM schemas WHERE permissions IS NOT NULL"))
    }
}
