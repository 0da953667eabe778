import GRDB
import ParseModel
import SyncModel

/// The column `own_marks`: the operation ids that requests of this replica have left in a field (`opField`) of remote
/// objects. Clients do not see them. An id stays in the column until the remote object no longer contains it.
struct OperationMarks {
    let db: Database

    /// Stores the operation ids of this replica that are in `marks`. They replace the stored ids of the object.
    /// - Parameter marks: all operation ids in the remote's object, including those of other replicas.
    func set(_ marks: [String], of className: String, _ objectId: String) throws {
        guard let replicaId = try Meta.value(of: "replica_id", in: db) else { return }
        let own = marks.filter { $0.hasPrefix(replicaId + ":") }
        try db.run(
            "UPDATE objects SET own_marks = ?1 WHERE class = ?2 AND id = ?3 AND own_marks IS NOT ?1",
            [own.isEmpty ? nil : JSONValue.array(own.map(JSONValue.string)).jsonText, className, objectId])
    }

    func add(_ mark: String, to className: String, _ objectId: String) throws {
        let known = try db.firstRow(
            "SELECT own_marks FROM objects WHERE class = ? AND id = ?", [className, objectId]
        ) { try $0.textsOfJSON(0) }
        try set((known ?? []) + [mark], of: className, objectId)
    }

    /// Deletes the stored operation ids of a class. The remote objects still contain them.
    func drop(of className: String) throws {
        try db.run("UPDATE objects SET own_marks = NULL WHERE class = ?", [className])
    }

    /// The ids of the objects that have the field, in the state that clients see or in the last known remote state.
    func objectIds(of className: String, with field: String) throws -> [String] {
        try db.texts(
            """
            SELECT id FROM objects WHERE class = ?1
                AND (json_type(view, ?2) IS NOT NULL OR json_type(base, ?2) IS NOT NULL) ORDER BY pk
            """, [className, Self.path(field)])
    }

    /// Checks that a field of a class can be its `opField`, the field in which requests leave their operation ids.
    /// - Parameter isText: whether the field contains one id as a string. Otherwise it contains an array of ids.
    /// - Throws: `ParseError` 111 (incorrect type) if the field has another type, or other values in stored objects.
    func check(_ field: String, of className: String, isText: Bool) throws {
        let known = try ClassSchema(inReplica: className, in: db)?[field]?.type
        let isOther = try db.isTrue(
            """
            SELECT EXISTS (SELECT 1 FROM objects WHERE class = ?1
                AND coalesce(json_type(coalesce(base, view), ?2), 'null') NOT IN (?3, 'null'))
            """, [className, Self.path(field), isText ? "text" : "array"])
        let expected = isText ? FieldType.string : .array
        guard known ?? expected == expected, !isOther else {
            let values = isText ? "texts" : "arrays"
            throw ParseError(
                .incorrectType, "opField must be a field of \(values): \(className).\(field) holds something else.")
        }
    }

    private static func path(_ field: String) -> String { "$.\"\(field)\"" }
}
