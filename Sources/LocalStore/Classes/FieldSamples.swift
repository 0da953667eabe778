import GRDB
import ParseModel
import SyncModel

/// Chooses sample objects of a class, to find fields that the remote has dropped. Dropping a field changes no
/// `updatedAt`, so no pull reports it. A sync compares the samples with their rows on the remote.
struct FieldSamples {
    let db: Database

    /// The number of rows to sample among the newest rows, and among the oldest rows, by `updatedAt`.
    private static let rowsMax = 500

    /// A query with one row for each field of the sampled rows: the field's name, and the id of one object that has the field.
    private static let samples = """
        SELECT f.key AS field, min(r.id) AS id FROM (
            SELECT * FROM (\(ends("DESC"))) UNION SELECT * FROM (\(ends("ASC")))) r, json_each(r.text) f
        GROUP BY f.key
        """

    private static func ends(_ order: String) -> String {
        """
        SELECT id, coalesce(base, view) AS text FROM objects
        WHERE class = ?1 AND +base_kind > 0 AND NOT base_standing AND coalesce(base, view) IS NOT NULL
        ORDER BY updated_at \(order) LIMIT \(rowsMax)
        """
    }

    /// The ids of objects that together have every field of the class's newest and oldest rows.
    /// - Returns: at most `max` ids. With too low a limit, the ids do not cover all fields.
    func objectIds(of className: String, max: Int) throws -> [String] {
        try db.texts("SELECT DISTINCT id FROM (\(Self.samples)) ORDER BY id LIMIT ?", [className, max])
    }

    /// The fields of the newest and the oldest rows of the class.
    func fields(of className: String) throws -> [String] {
        try db.texts("SELECT field FROM (\(Self.samples))", [className])
    }
}
