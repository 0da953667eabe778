import ParseModel
import RemoteService
import SyncModel

/// How far a listing in the order of time has come.
///
/// Rows are listed by (time, objectId), each page beginning after the last row of the page before. Times on the wire
/// have milliseconds, but a row written by SQL may have microseconds: then it stays "later than" its own time on the
/// wire, and a page may be the page before once more. So where a whole page has the time that the page before ended
/// with, the rows of that millisecond are listed by id alone, from the first, and the listing goes on behind them.
/// Every step moves on in time, or in the ids of one millisecond, so a listing ends; ids are compared by the server only.
enum KeysetPosition: Sendable, Hashable {
    /// Before the oldest row.
    case start
    /// Before the rows of that time.
    case from(ParseDate)
    /// Behind the row of that time and id, and before the next one in the server's order.
    case after(ParseDate, objectId: String)
    /// Among the rows of that millisecond, listed by id: behind that id, or before all of them.
    case within(ParseDate, objectId: String?)

    /// The time that a listing goes by.
    enum TimeField: String { case createdAt, updatedAt }

    var time: ParseDate? {
        switch self {
        case .start: nil
        case .from(let time), .after(let time, _), .within(let time, _): time
        }
    }

    /// The question for the page that begins here.
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
            // A comparison with the empty string would be refused, so the first page has none.
            conditions["objectId"] = objectId.map { ["$gt": .string($0)] }
            return conditions
        }
    }

    /// Where the listing stands after the page that began here.
    /// - Returns: nil where an empty page says that there is nothing behind this position.
    /// - Throws: where the page cannot be an answer to the query; a listing that went on from it could miss rows, or
    ///   never end.
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
