import ParseModel
import RemoteService
import SyncModel

/// The position of a listing in the order of time.
///
/// Rows are listed by (time, objectId), and each page begins after the last row of the previous page. Times in answers have
/// milliseconds, but a row written by SQL may have microseconds. Such a row is always later than its own time in an answer, so a
/// page may repeat the previous page. If a whole page has the time at which the previous page ended, the rows of that millisecond
/// are listed by id alone, from the first one, and the listing continues after them. Each step advances in time or in the ids of
/// one millisecond, so a listing ends. Only the server compares ids.
enum KeysetPosition: Sendable, Hashable {
    /// Before the oldest row.
    case start
    /// Before the rows of this time.
    case from(ParseDate)
    /// After the row of this time and id in the server's order.
    case after(ParseDate, objectId: String)
    /// Among the rows of this millisecond, listed by id: after this id, or before the first row if it is nil.
    case within(ParseDate, objectId: String?)

    /// The field of the time by which a listing is sorted.
    enum TimeField: String { case createdAt, updatedAt }

    var time: ParseDate? {
        switch self {
        case .start: nil
        case .from(let time), .after(let time, _), .within(let time, _): time
        }
    }

    /// The query for the page that begins here.
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
            // A server refuses a comparison with the empty string, so the first page has no condition on the id.
            conditions["objectId"] = objectId.map { ["$gt": .string($0)] }
            return conditions
        }
    }

    /// The position after the page that began here.
    /// - Returns: nil if an empty page proves that no row follows.
    /// - Throws: `RemoteError.faulty` for a page that cannot answer the query. After such a page a listing could miss rows or never end.
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
