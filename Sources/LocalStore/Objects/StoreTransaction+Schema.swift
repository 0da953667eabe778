import GRDB
import ParseModel

extension StoreTransaction {
    /// Compares a write with the class's schema and adds the fields that are new, as a Parse Server does on its own.
    /// A replica leaves that to its remote, whose schema it does not know for certain.
    /// - Throws: `ParseError` 111 where a field has another type already.
    func learnSchema(of operations: FieldOperations, className: String) throws {
        guard !isReplica else { return }
        let statement = try db.cachedStatement(sql: "SELECT type FROM fields WHERE class = ? AND name = ?")
        for field in operations.fields {
            // A Parse Server knows ACL from the start, so nobody's first write gives it a type.
            guard field != "ACL", let type = operations[field]?.type else { continue }
            guard let known = try String.fetchOne(statement, arguments: [className, field]) else {
                try execute(
                    "INSERT INTO fields (class, name, type) VALUES (?, ?, ?)", [className, field, type.json.jsonText])
                continue
            }
            guard let json = try JSONReader.read(known).object, let expected = FieldType(json: json) else { continue }
            if expected != type {
                throw ParseError(
                    .incorrectType,
                    "schema mismatch for \(className).\(field); expected \(expected.description) "
                        + "but got \(type.description)")
            }
        }
    }
}
