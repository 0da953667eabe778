import GRDB
import ParseModel

/// The migration that converts ACLs and files to the form in which Parse Server stores them. Earlier versions stored
/// them as clients had sent them.
///
/// ACLs become canonical (`AccessControlList.canonical`), also in the last known remote states, pending changes and
/// conflicts. In a standalone store, a file at the top level of a field keeps only its name. The numbers in the column
/// `acl` stay, because they describe the same rights.
///
/// One scan finds the objects to convert, and only these are written. Tests of the text skip most rows without a call
/// of the SQL functions.
enum StoredValueMigration {
    private static let acl = "parse_mended_acl"
    private static let files = "parse_mended_files"

    static let sql = """
        UPDATE objects SET view = \(mended("view", standalone: true)), base = \(mended("base", standalone: false))
        WHERE pk IN (
            SELECT pk FROM objects
            WHERE (instr(view, '"ACL":') AND \(acl)(view) IS NOT NULL)
                OR (base IS NOT NULL AND instr(base, '"ACL":') AND \(acl)(base) IS NOT NULL)
                OR (\(isStandalone) AND instr(view, '"__type":"File"') AND \(files)(view) IS NOT NULL));
        UPDATE outbox SET operations = \(acl)(operations)
        WHERE instr(operations, '"ACL":') AND \(acl)(operations) IS NOT NULL;
        \(versions.map { "UPDATE conflicts SET \($0) = \(acl)(\($0)) WHERE \(acl)(\($0)) IS NOT NULL;" }.joined(separator: "\n"))
        """

    /// The columns of `conflicts` with states of an object.
    private static let versions = ["base", "local", "remote"]

    private static let isStandalone = "(SELECT value FROM meta WHERE key = 'mode') = 'standalone'"

    private static func mended(_ column: String, standalone: Bool) -> String {
        let mended = "coalesce(\(acl)(\(column)), \(column))"
        guard standalone else { return mended }
        return "CASE WHEN \(isStandalone) THEN coalesce(\(files)(\(mended)), \(mended)) ELSE \(mended) END"
    }

    /// Registers the SQL functions of the migration. The argument is the text of a JSON object. The result is the converted text;
    /// NULL if the text already has the new form, and for an unreadable text.
    static func register(in db: Database) {
        register(acl, in: db) { text, object in
            guard !hasCanonicalACLs(text), let object = object(), let acl = object["ACL"] else { return nil }
            let canonical = AccessControlList.canonical(acl)
            guard canonical != acl else { return nil }
            var mended = object
            mended["ACL"] = canonical
            return mended
        }
        register(files, in: db) { _, object in
            guard var object = object() else { return nil }
            var isMended = false
            for (field, value) in object {
                guard let file = FileReference(value), file.url != nil else { continue }
                object[field] = FileReference(name: file.name, url: nil).json
                isMended = true
            }
            return isMended ? object : nil
        }
    }

    private static func register(
        _ name: String, in db: Database,
        _ mended: @escaping @Sendable (_ text: [UInt8], _ object: () -> JSONObject?) -> JSONObject?
    ) {
        db.add(
            function: DatabaseFunction(name, argumentCount: 1, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]) else { return nil }
                let bytes = Array(text.utf8)
                return mended(bytes) { try? JSONReader.read(bytes, depthMax: JSONReader.storedDepthMax).object }?
                    .jsonText
            })
    }

    // MARK: Canonical texts

    private static let mark = Array(#""ACL":"#.utf8)
    private static let rights = [
        #"{"read":true}"#, #"{"write":true}"#, #"{"read":true,"write":true}"#, #"{"write":true,"read":true}"#,
    ].map { Array($0.utf8) }

    /// Whether each member `ACL` of the text, at any depth, is canonical. This test is many times faster than parsing the text.
    /// It can return false for a text whose ACLs are all canonical, for example one with escaped characters.
    static func hasCanonicalACLs(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        while let quote = rest.firstIndex(of: mark[0]) {
            rest = rest[quote...]
            guard take(mark, from: &rest) else {
                rest = rest.dropFirst()
                continue
            }
            guard takeACL(from: &rest) else { return false }
        }
        return true
    }

    private static func takeACL(from rest: inout ArraySlice<UInt8>) -> Bool {
        guard take([UInt8(ascii: "{")], from: &rest) else { return false }
        if take([UInt8(ascii: "}")], from: &rest) { return true }
        repeat {
            // Returns false for an entity with an escaped character. The JSON parser then decides.
            guard take([mark[0]], from: &rest), let end = rest.firstIndex(of: mark[0]),
                !rest[..<end].contains(UInt8(ascii: "\\"))
            else { return false }
            rest = rest[(end + 1)...]
            guard take([UInt8(ascii: ":")], from: &rest), rights.contains(where: { take($0, from: &rest) }) else {
                return false
            }
        } while take([UInt8(ascii: ",")], from: &rest)
        return take([UInt8(ascii: "}")], from: &rest)
    }

    private static func take(_ token: [UInt8], from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.starts(with: token) else { return false }
        rest = rest.dropFirst(token.count)
        return true
    }
}
