import GRDB
import ParseModel
import StoreService
import SyncModel

/// Selects the fields of an object that are stored here: those that any author's pulls fetch for the object.
struct KeptFields {
    let className: String
    let pulls: [PullScope]
    /// The field for operation ids, which local clients do not see; nil if the class has none.
    let opField: String?
    private let db: Database

    /// Reads the pulls of the class. If it has none, all fields of its objects are stored.
    init(of className: String, in db: Database) throws {
        let options = try ClassTable(db: db).options(of: className)
        self.db = db
        self.className = className
        pulls = try db.rows(
            "SELECT identity, name, conditions, keys FROM pulls WHERE class = ? ORDER BY identity, name", [className]
        ) { row in
            PullScope(
                try NamedPull(row, at: 1), of: className, by: AuthorKey(key: row.integer(0)), options: options)
        }
        opField = options.opField
    }

    /// The fields that pulls fetch for an object, without the field for operation ids (`opField`); nil for all fields.
    static func fetched(of className: String, _ objectId: String, in db: Database) throws -> [String]? {
        guard try db.isTrue("SELECT EXISTS (SELECT 1 FROM pulls WHERE class = ? AND keys IS NOT NULL)", [className])
        else { return nil }
        let kept = try KeptFields(of: className, in: db)
        return try kept.keys(of: objectId)?.filter { $0 != kept.opField }.sorted()
    }

    /// The row without the field for operation ids (`opField`). The ids from this field are in `operationMarks` of the
    /// result.
    func withoutMarks(_ record: RemoteRecord) -> RemoteRecord {
        guard let opField, let marks = record.fields[opField] else { return record }
        var fields = record.fields
        fields[opField] = nil
        var row = replacing(fields, in: record)
        row.operationMarks = (marks.array ?? [marks]).compactMap(\.string)
        return row
    }

    /// The row with only the fields that the pulls of the object fetch.
    private func restricted(_ record: RemoteRecord) throws -> RemoteRecord {
        guard let keys = try keys(of: record.objectId, pulledBy: nil) else { return record }
        var fields = record.fields
        fields.removeAll { !keys.contains($0) }
        return replacing(fields, in: record)
    }

    /// The row as it is stored here, without the field for operation ids (`opField`). If a pull has read only some
    /// fields, the other fields come from the object's last known remote state. If all fields were read, only those
    /// that the object's pulls fetch remain.
    /// - Parameter scope: the pull that read the row; nil if the row was read outside of a pull, with all fields.
    func merged(_ record: RemoteRecord, from scope: PullScope?) throws -> RemoteRecord {
        let record = withoutMarks(record)
        guard let scope, let pulled = scope.keys else { return try restricted(record) }
        guard let known = try LocalObject(className, record.objectId, in: db)?.life.base else { return record }
        let keys = try keys(of: record.objectId, pulledBy: scope)
        var fields = known.fields
        fields.removeAll { field in
            keys?.contains(field) == false || (pulled.contains(field) && record.fields[field] == nil)
        }
        for (field, value) in record.fields { fields[field] = value }
        return replacing(fields, in: record)
    }

    /// The fields that the pulls of an object fetch; nil for all fields.
    func keys(of objectId: String) throws -> Set<String>? { try keys(of: objectId, pulledBy: nil) }

    private func keys(of objectId: String, pulledBy scope: PullScope?) throws -> Set<String>? {
        guard pulls.contains(where: { $0.keys != nil }) else { return nil }
        let joined = try pulls.count == 1 ? [] : PullMembership.all(of: className, objectId, in: db)
        var holding = pulls.filter { pull in
            pull.isWholeClass || (pull.id == scope?.id && pull.author == scope?.author)
                || joined.contains { $0.author == pull.author && $0.pull == pull.id.name }
        }
        // An object that belongs to no pull stores the fields of all pulls.
        if holding.isEmpty { holding = pulls }
        var keys: Set<String> = []
        for pull in holding {
            guard let pulled = pull.keys else { return nil }
            keys.formUnion(pulled)
        }
        return keys
    }

    private func replacing(_ fields: JSONObject, in record: RemoteRecord) -> RemoteRecord {
        var row = RemoteRecord(
            className: record.className, objectId: record.objectId, createdAt: record.createdAt,
            updatedAt: record.updatedAt, fields: fields, version: record.version)
        row.operationMarks = record.operationMarks
        row.hasCreationTime = record.hasCreationTime
        return row
    }
}
