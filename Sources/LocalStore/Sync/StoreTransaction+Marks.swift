import GRDB
import ParseModel
import StoreService
import SyncModel

/// Ids of operations that this replica has left in the `opField` of remote objects. They stand beside the objects, so that
/// no local client sees them, and go when a later request takes them away.
extension StoreTransaction {
    /// Notes those of a row.
    func noteMarks(of row: RemoteRecord) throws {
        try noteMarks(row.operationMarks.map(JSONValue.string), of: row.className, row.objectId)
    }

    /// - Parameter marks: all that the remote's object has, of other replicas too.
    func noteMarks(_ marks: [JSONValue], of className: String, _ objectId: String) throws {
        guard let replicaId = try Meta.value(of: "replica_id", in: db) else { return }
        let own = marks.filter { $0.string?.hasPrefix(replicaId + ":") == true }
        try execute(
            "UPDATE objects SET own_marks = ?1 WHERE class = ?2 AND id = ?3 AND own_marks IS NOT ?1",
            [own.isEmpty ? nil : JSONValue.array(own).jsonText, className, objectId])
    }

    func ownMarks(of className: String, _ objectId: String) throws -> [String] {
        let find = try db.cachedStatement(sql: "SELECT own_marks FROM objects WHERE class = ? AND id = ?")
        let text = try find.firstRow([className, objectId]) { $0.textIfAny(0) } ?? nil
        return try text.flatMap { try JSONReader.read($0).array?.compactMap(\.string) } ?? []
    }

    // MARK: The option

    /// A class is given another field for ids of operations, or none.
    /// - Throws: `ParseError` 111 where the field is known to hold something else than an array.
    func changeOpField(of className: String, from old: String?, to new: String?) throws {
        if let new { try checkOpField(new, of: className) }
        if old != nil {
            // Its value on the remote was never kept here.
            try execute("UPDATE objects SET own_marks = NULL WHERE class = ?", [className])
        }
        guard let new else { return }
        let ids = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM objects WHERE class = ?1
                    AND (json_type(view, ?2) IS NOT NULL OR json_type(base, ?2) IS NOT NULL) ORDER BY pk
                """, arguments: [className, Self.path(new)])
        for id in ids {
            guard var object = try LocalObject(className, id, in: db) else { continue }
            let marks = object.life.base?.fields[new]?.array ?? []
            object.life.base?.fields[new] = nil
            object.life.replay()
            try object.save(in: self)
            try noteMarks(marks, of: className, id)
        }
    }

    private func checkOpField(_ field: String, of className: String) throws {
        let known = try ClassSchema(ofRemote: className, in: db)?[field]?.type
        let isOther = try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM objects WHERE class = ?1
                    AND coalesce(json_type(coalesce(base, view), ?2), 'null') NOT IN ('array', 'null'))
                """, arguments: [className, Self.path(field)])
        guard known ?? .array == .array, isOther != true else {
            throw ParseError(
                .incorrectType, "opField must be a field of arrays: \(className).\(field) holds something else.")
        }
    }

    private static func path(_ field: String) -> String { "$.\"\(field)\"" }

    /// - Throws: `ParseError` 105 where a client writes the field for ids of operations.
    func refuseMarks(in body: JSONObject, of className: String) throws {
        guard isReplica, let field = try classOptions(of: className).opField, body[field] != nil else { return }
        throw ParseError(.invalidFieldName, "\(field) holds the ids of operations, and cannot be written here.")
    }
}
