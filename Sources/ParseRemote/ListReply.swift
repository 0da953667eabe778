import ParseModel
import RemoteService
import SyncModel

/// The answer to a `ListQuery`.
struct ListReply {
    let query: ListQuery
    let answer: ParseAnswer
    let serverTime: ParseDate?
    /// The length of the answer in bytes; 0 if the answer is an item of a batch.
    var bytes = 0

    private static let countMax = 1 << 53

    /// The objects of the answer.
    /// - Throws: if the request failed, or if any row lacks a date or an id of valid length.
    func records() throws(RemoteError) -> [RemoteRecord] {
        var records: [RemoteRecord] = []
        for row in try results() {
            guard let record = RemoteRecord(row, className: query.className) else { throw incompleteRow }
            records.append(record)
        }
        return records
    }

    private var incompleteRow: RemoteError {
        .faulty(
            status: 200,
            reason: "a row of \(query.className) lacks objectId, createdAt or updatedAt, or its id is too long")
    }

    /// The ids and `updatedAt` of the objects in the answer. A server sends the dates even if `keys` does not list
    /// them.
    func stamps() throws(RemoteError) -> [ObjectStamp] {
        try results().map { row throws(RemoteError) in
            guard let stamp = ObjectStamp(row) else { throw incompleteRow }
            return stamp
        }
    }

    /// The count in the answer; nil if permissions forbid counting.
    func countIfAllowed() throws(RemoteError) -> Int? {
        switch answer {
        case .failure(.refused(ParseError.Code.operationForbidden.rawValue, _)),
            .failure(.refused(ParseError.Code.objectNotFound.rawValue, _)):
            return nil
        default:
            // A number above `countMax` is not a count, and a sum of such numbers could overflow.
            guard let count = try object()["count"]?.int, 0...Self.countMax ~= count else {
                throw .faulty(status: 200, reason: "the count of \(query.className) is missing")
            }
            return count
        }
    }

    /// The rows of the answer, unchanged.
    func results() throws(RemoteError) -> [JSONValue] {
        guard let results = try object()["results"]?.array else {
            throw .faulty(status: 200, reason: "the answer for \(query.className) has no results")
        }
        return results
    }

    private func object() throws(RemoteError) -> JSONObject {
        guard let object = try answer.orRemoteError().object, object["error"] == nil else {
            throw .faulty(status: 200, reason: "the answer for \(query.className) is not a list of objects")
        }
        return object
    }
}

extension RemoteRecord {
    /// Reads a row of an answer; nil if the row lacks a date or an id of valid length.
    init?(_ row: JSONValue, className: String) {
        guard let stamp = ObjectStamp(row), var fields = row.object,
            let createdAt = fields["createdAt"]?.string.flatMap({ ParseDate(iso: $0) })
        else { return nil }
        fields.removeAll { $0 == "objectId" || $0 == "createdAt" || $0 == "updatedAt" }
        self.init(
            className: className, objectId: stamp.objectId, createdAt: createdAt, updatedAt: stamp.updatedAt,
            fields: fields)
    }
}

extension ObjectStamp {
    /// The maximum length of an id in bytes. Databases behind a Parse Server do not index longer ids.
    static let idBytesMax = 2048

    fileprivate init?(_ row: JSONValue) {
        guard let fields = row.object, let objectId = fields["objectId"]?.string,
            1...Self.idBytesMax ~= objectId.utf8.count,
            let updatedAt = fields["updatedAt"]?.string.flatMap({ ParseDate(iso: $0) })
        else { return nil }
        self.init(objectId: objectId, updatedAt: updatedAt)
    }
}
