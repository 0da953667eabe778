import GRDB
import ParseModel
import StoreService
import SyncModel

/// Columns that the remote has dropped. That changes no row's time, so no pull brings it: the class is pulled anew then.
extension LocalStore {
    /// The rows whose fields are looked at, from each end of the order of changes.
    private static let sampledRowsMax = 500

    /// Objects of the class that between them have each field that its newest and its oldest rows have.
    /// - Returns: ids, at most so many.
    package func samples(of className: String, max: Int) async throws -> [String] {
        try await readOnce { db in
            try String.fetchAll(
                db, sql: "SELECT DISTINCT id FROM (\(Self.fieldsOfSamples)) ORDER BY id LIMIT ?",
                arguments: [className, max])
        }
    }

    /// A row for each field: its name, and an object that has it.
    fileprivate static let fieldsOfSamples = """
        SELECT f.key AS field, min(r.id) AS id FROM (
            SELECT * FROM (\(ends("DESC"))) UNION SELECT * FROM (\(ends("ASC")))) r, json_each(r.text) f
        GROUP BY f.key
        """

    private static func ends(_ order: String) -> String {
        """
        SELECT id, coalesce(base, view) AS text FROM objects
        WHERE class = ?1 AND +base_kind > 0 AND NOT is_provisional AND coalesce(base, view) IS NOT NULL
        ORDER BY updated_at \(order) LIMIT \(sampledRowsMax)
        """
    }

    /// Fields that objects have here and that their rows no longer have, though they have not been changed since.
    /// - Returns: names, sorted.
    package func lostFields(in records: [RemoteRecord]) async throws -> [String] {
        try await read { db in
            var lost: Set<String> = []
            for record in records {
                guard let object = try LocalObject(record.className, record.objectId, in: db),
                    let base = object.life.base,
                    !object.life.baseIsProvisional, base.updatedAt == record.updatedAt
                else { continue }
                for (field, value) in base.fields where !value.isNull && record.fields[field] == nil {
                    lost.insert(field)
                }
            }
            return lost.sorted()
        }
    }

    /// All rows of the class are read once more. The present objects stay until they come.
    package func pullAnew(_ className: String) async throws {
        try await write { try $0.pullAnew(className) }
    }
}

extension StoreTransaction {
    fileprivate func pullAnew(_ className: String) throws {
        try execute("UPDATE pulls SET cursor = NULL WHERE class = ?", [className])
    }

    /// Pulls a class anew of which the remote no longer has some field that it had, or that objects have here.
    /// - Parameter known: the remote's schema before; nil where it had not told of the class.
    func takeDroppedFields(of schema: ClassSchema, known: ClassSchema?) throws {
        var before = Set(known?.added.keys.map(\.self) ?? [])
        if known == nil {
            before = Set(
                try String.fetchAll(
                    db, sql: "SELECT field FROM (\(LocalStore.fieldsOfSamples))", arguments: [schema.className]))
        }
        if before.contains(where: { schema[$0] == nil }) { try pullAnew(schema.className) }
    }
}
