import ParseModel
import RemoteService
import SyncModel

/// The tables of the server that a `TableRemote` simulates.
struct TableRows: Sendable {
    private(set) var tables: [String: [String: RemoteRecord]] = [:]
    private var versions = 0
    private var ids = 0

    subscript(className: String, objectId: String) -> RemoteRecord? { tables[className]?[objectId] }

    /// The rows of a table in pull order, tombstones included.
    func rows(of className: String) -> [RemoteRecord] {
        (tables[className] ?? [:]).values.sorted { ($0.updatedAt, $0.objectId) < ($1.updatedAt, $1.objectId) }
    }

    /// The rows that match a query, without tombstones.
    /// - Throws: 102 if the query contains operators that the server does not support.
    func live(_ query: PullQuery, created range: CreatedRange = .all) throws(RemoteError) -> [RemoteRecord] {
        var found: [RemoteRecord] = []
        for row in rows(of: query.className) where !row.isDeleted && range.contains(row.createdAt) {
            if try query.finds(row) { found.append(row) }
        }
        return found
    }

    /// Writes a row and gives it a new version.
    @discardableResult
    mutating func put(
        _ className: String, _ objectId: String, _ fields: JSONObject, at now: ParseDate, isDeleted: Bool = false
    ) -> RemoteRecord {
        versions += 1
        let row = RemoteRecord(
            className: className, objectId: objectId, createdAt: self[className, objectId]?.createdAt ?? now,
            updatedAt: now, fields: fields, version: "v\(versions)", isDeleted: isDeleted)
        tables[className, default: [:]][objectId] = row
        return row
    }

    mutating func newId() -> String {
        ids += 1
        return "row-\(ids)"
    }
}

extension PullQuery {
    /// The query operators that a pull from a table may use.
    static let tableOperators: Set<String> = ["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$exists"]

    func finds(_ row: RemoteRecord) throws(RemoteError) -> Bool {
        for (field, condition) in conditions {
            guard try Self.holds(row.fields[field], condition) else { return false }
        }
        return true
    }

    /// The row with only the fields that the query requests.
    func selected(_ row: RemoteRecord) -> RemoteRecord {
        guard let keys else { return row }
        var fields = row.fields
        fields.removeAll { !keys.contains($0) }
        return RemoteRecord(
            className: row.className, objectId: row.objectId, createdAt: row.createdAt, updatedAt: row.updatedAt,
            fields: fields, version: row.version, isDeleted: row.isDeleted)
    }

    private static func holds(_ value: JSONValue?, _ condition: JSONValue) throws(RemoteError) -> Bool {
        guard let operators = condition.object else { return value == condition }
        for (name, operand) in operators {
            let (number, bound) = (value?.number?.double ?? .nan, operand.number?.double ?? .nan)
            let holds =
                switch name {
                case "$eq": value == operand
                case "$ne": value != operand
                case "$gt": number > bound
                case "$gte": number >= bound
                case "$lt": number < bound
                case "$lte": number <= bound
                case "$exists": (value != nil) == operand.bool
                default: throw .refused(code: 102, message: "bad filter: \(name)")
                }
            guard holds else { return false }
        }
        return true
    }
}

extension CreatedRange {
    func contains(_ time: ParseDate) -> Bool { from.map { $0 <= time } ?? true && to.map { time < $0 } ?? true }
}
