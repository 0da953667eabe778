import GRDB
import ParseModel

/// The rules for writes of `_Role` in a store that enforces rights. The remote of a replica has the same rules. The
/// replica checks them, too, because a local change takes effect before the remote accepts it.
struct RoleRules {
    let db: Database

    /// Checks a new role.
    /// - Throws: `ParseError` 142 (validation failed) for a name with characters that are not allowed, 137 (duplicate value) for
    ///   the name of another role.
    func checkCreate(_ fields: JSONObject) throws {
        guard let name = fields["name"]?.string, Self.isValid(name) else {
            throw ParseError(
                .validationFailed, "A role's name can only contain alphanumeric characters, _, -, and spaces.")
        }
        let isTaken = try db.isTrue(
            """
            SELECT EXISTS (SELECT 1 FROM objects
                WHERE class = '_Role' AND view IS NOT NULL AND \(SpecialIndexes.text(.name)) = ?)
            """, [name])
        guard !isTaken else {
            throw ParseError(.duplicateValue, "A duplicate value for a field with unique values was provided")
        }
    }

    /// Checks that an update deletes neither the name nor the ACL, which Parse Server requires. In a replica the remote would
    /// refuse such an update.
    /// - Throws: `ParseError` 111 (incorrect type).
    static func checkKept(_ body: WriteBody) throws(ParseError) {
        for name in ["name", "ACL"] where body.deleted.contains(name) {
            throw ParseError(.incorrectType, "\(name) is required.")
        }
    }

    /// Checks that an update keeps the name.
    /// - Throws: `ParseError` 136 (unchangeable field) for another name.
    static func checkUpdate(from before: JSONObject, to after: JSONObject) throws(ParseError) {
        guard after["name"] == before["name"] else {
            throw ParseError(.unchangeableField, "A role's name cannot change after it has been saved.")
        }
    }

    /// Whether each character is an ASCII letter or digit, `_`, `-` or a space.
    private static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "_- ".unicodeScalars.contains($0))
            }
    }
}
