import GRDB
import ParseModel
import StoreService
import SyncModel

/// Which fields of a class's objects are kept here: of each object those that its pulls bring, and keep up to date.
struct KeptFields {
    let className: String
    let pulls: [PullScope]
    /// The field for ids of operations, which no local client sees.
    let opField: String?

    init(of className: String, in db: Database) throws {
        let options = try db.cachedStatement(sql: "SELECT options FROM classes WHERE name = ?")
            .firstRow([className]) { try ClassOptions(stored: $0.text(0)) }
        var pulls: [PullScope] = []
        for pull in try NamedPull.all(of: className, in: db) {
            pulls.append(PullScope(pull, of: className, options: options ?? ClassOptions()))
        }
        self.className = className
        self.pulls = pulls
        opField = options?.opField
    }

    /// The row without the ids of operations among its fields.
    func withoutMarks(_ record: RemoteRecord) -> RemoteRecord {
        guard let opField, let marks = record.fields[opField] else { return record }
        var fields = record.fields
        fields[opField] = nil
        var row = replacing(fields, in: record)
        row.operationMarks = marks.array?.compactMap(\.string) ?? []
        return row
    }

    /// The row with no more fields than are kept up to date.
    func restricted(_ record: RemoteRecord, in db: Database) throws -> RemoteRecord {
        let record = withoutMarks(record)
        guard let keys = try keys(of: record.objectId, pulledBy: nil, in: db) else { return record }
        var fields = record.fields
        fields.removeAll { !keys.contains($0) }
        return replacing(fields, in: record)
    }

    /// A row that has some fields only, completed with what is known of the others.
    /// - Parameter scope: the pull that has brought the row; nil where it was read whole.
    func merged(_ record: RemoteRecord, from scope: PullScope?, in db: Database) throws -> RemoteRecord {
        let record = withoutMarks(record)
        guard let scope, let pulled = scope.keys else { return try restricted(record, in: db) }
        guard let known = try LocalObject(className, record.objectId, in: db)?.life.base else { return record }
        let keys = try keys(of: record.objectId, pulledBy: scope, in: db)
        var fields = known.fields
        fields.removeAll { field in
            keys?.contains(field) == false || (pulled.contains(field) && record.fields[field] == nil)
        }
        for (field, value) in record.fields { fields[field] = value }
        return replacing(fields, in: record)
    }

    /// The fields of an object that its pulls bring; nil for all.
    func keys(of objectId: String, in db: Database) throws -> Set<String>? {
        try keys(of: objectId, pulledBy: nil, in: db)
    }

    /// - Returns: nil for all fields.
    private func keys(of objectId: String, pulledBy scope: PullScope?, in db: Database) throws -> Set<String>? {
        guard pulls.contains(where: { $0.keys != nil }) else { return nil }
        let statement = try db.cachedStatement(sql: "SELECT pull FROM pull_members WHERE class = ? AND id = ?")
        let names = try pulls.count == 1 ? [] : Set(String.fetchAll(statement, arguments: [className, objectId]))
        var holding = pulls.filter { $0.isWholeClass || $0.id == scope?.id || names.contains($0.id.name) }
        // What no pull holds is here for another reason, and goes with it.
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
        return row
    }
}
