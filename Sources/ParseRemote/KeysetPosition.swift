import ParseModel
import RemoteService
import SyncModel

/// A position in a listing that is sorted by time (keyset pagination).
///
/// Rows are sorted by time and objectId. Each page begins after the last row of the previous page. Only the server compares ids.
///
/// Times in requests and answers have milliseconds, but the server also compares microseconds, which a row written by SQL may
/// have. A page may therefore repeat the last row of the previous page. If two successive pages end in the same millisecond, all
/// rows of that millisecond are listed again, sorted by id alone. The listing then continues with the next millisecond.
enum KeysetPosition: Sendable, Hashable {
    /// Before the oldest row.
    case start
    /// Before the first row of this time.
    case from(ParseDate)
    /// After the row with this time and id, in the server's sort order.
    case after(ParseDate, objectId: String)
    /// In the listing of only this millisecond's rows, sorted by id: after the row with this id; for nil, before the first row.
    case within(ParseDate, objectId: String?)

    /// The field by which a listing is sorted.
    enum TimeField: String { case createdAt, updatedAt }

    var time: ParseDate? {
        switch self {
        case .start: nil
        case .from(let time), .after(let time, _), .within(let time, _): time
        }
    }

    /// The query for the page at this position.
    func query(of query: PullQuery, by field: TimeField, limit: Int) -> ListQuery {
        var order = "\(field.rawValue),objectId"
        if case .within = self { order = "objectId" }
        return ListQuery(query, and: conditions(on: field.rawValue), order: order, limit: limit)
    }

    private func conditions(on field: String) -> JSONObject {
        switch self {
        case .start: return [:]
        case .from(let time): return [field: ["$gte": time.wire]]
        case .after(let time, let objectId):
            let tie: JSONValue = [field: time.wire, "objectId": ["$gt": .string(objectId)]]
            return [field: ["$gte": time.wire], "$or": [[field: ["$gt": time.wire]], tie]]
        case .within(let time, let objectId):
            var conditions: JSONObject = [field: ["$gte": time.wire, "$lt": time.next.wire]]
            // The first page has no condition on the id, because a server refuses a comparison with an empty id.
            conditions["objectId"] = objectId.map { ["$gt": .string($0)] }
            return conditions
        }
    }

    /// The position of the page after `page`, which is the page at this position.
    /// - Returns: nil if the page was empty and no rows follow.
    /// - Throws: if the rows are out of order or the listing does not advance.
    func next(after page: [RemoteRecord], by field: TimeField) throws(RemoteError) -> KeysetPosition? {
        guard let last = page.last else {
            if case .within(let time, _) = self { return .from(time.next) }
            return nil
        }
        let times = page.map { $0[field] }
        var earliest = time ?? times[0]
        for time in times {
            guard time >= earliest else { throw .faulty(status: 200, reason: "rows came out of order") }
            earliest = time
        }
        switch self {
        case .after(let time, _) where last[field] == time:
            return .within(time, objectId: nil)
        case .start, .from, .after:
            return .after(last[field], objectId: last.objectId)
        case .within(let time, let objectId):
            guard last[field] == time, !page.contains(where: { $0.objectId == objectId }) else {
                throw .faulty(status: 200, reason: "the rows of \(time.iso) do not come to an end")
            }
            return .within(time, objectId: last.objectId)
        }
    }
}

extension ParseDate {
    fileprivate var next: ParseDate { ParseDate(milliseconds: milliseconds + 1) }
}

extension RemoteRecord {
    subscript(field: KeysetPosition.TimeField) -> ParseDate {
        switch field {
        case .createdAt: createdAt
        case .updatedAt: updatedAt
        }
    }
}
