import GRDB
import ParseModel
import RemoteService

/// Which fields of a class's objects are kept here: those of all its pulls together.
struct KeptFields {
    /// Nil for all fields.
    let keys: Set<String>?

    /// The row with no more fields than are kept up to date.
    func restricted(_ record: RemoteRecord) -> RemoteRecord {
        guard let keys else { return record }
        var fields = record.fields
        fields.removeAll { !keys.contains($0) }
        return replacing(fields, in: record)
    }

    /// A row that has some fields only, completed with what is known of the others.
    /// - Parameter pulled: the fields that the row was asked for; nil for all.
    func merged(_ record: RemoteRecord, keys pulled: [String]?, in db: Database) throws -> RemoteRecord {
        guard let pulled else { return restricted(record) }
        guard let known = try LocalObject(record.className, record.objectId, in: db)?.base else { return record }
        var fields = known.fields
        fields.removeAll { pulled.contains($0) || keys?.contains($0) == false }
        for (field, value) in record.fields { fields[field] = value }
        return replacing(fields, in: record)
    }

    private func replacing(_ fields: JSONObject, in record: RemoteRecord) -> RemoteRecord {
        RemoteRecord(
            className: record.className, objectId: record.objectId, createdAt: record.createdAt,
            updatedAt: record.updatedAt, fields: fields, version: record.version)
    }
}

/// A pull as rows that it brings have to be treated.
struct PullScope {
    let id: PullId
    let isWholeClass: Bool
    let keys: [String]?
}
