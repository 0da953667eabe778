import GRDB
import StoreService

extension EffectiveRights {
    /// The key in `meta` of a file whose rights have become effective and were not reported yet.
    static let newKey = "new_rights"

    /// Reads the rights from the file in a data directory. The file may have an earlier version.
    /// - Returns: nil if the directory has no file, or the file of a replica.
    init?(directory: String) throws {
        // Files of earlier versions lack the column `acl`. The text test is fast.
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
