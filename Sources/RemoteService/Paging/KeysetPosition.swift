import ParseModel
import SyncModel

/// A position in a listing that is sorted by time (keyset pagination).
///
/// Rows are sorted by time and objectId. Each page begins after the last row of the previous page. Only the server compares ids.
///
/// Times in requests and answers have milliseconds, but the server also compares microseconds, which a row written by SQL may
/// have. A page may therefore repeat the last row of the previous page. If two successive pages end in the same millisecond, all
/// rows of that millisecond are listed again, sorted by id alone. The listing then continues with the next millisecond.
package enum KeysetPosition: Sendable, Hashable {
    /// The beginning of the listing, before the oldest row.
    case start
    /// The position before the first row of this time.
    case from(ParseDate)
    /// The position after the row with this time and id, in the server's sort order.
    case after(ParseDate, objectId: String)
    /// A position in a list of only those rows that have this time, to the millisecond, sorted by id: after the row
    /// with this id; for nil, before the first row.
    case within(ParseDate, objectId: String?)

    /// The field by which a listing is sorted.
    package enum TimeField: String { case createdAt, updatedAt }

    package var time: ParseDate? {
        switch self {
        case .start: nil
        case .from(let time), .after(let time, _), .within(let time, _): time
        }
    }

    /// Whether an empty list moves the position to the next millisecond. A broken server can answer with empty lists.
    /// The answer must therefore contain a canary: a second list that has a row if the whole listing has any row.
    package var needsCanary: Bool { if case .within = self { true } else { false } }

    /// The position of the page after `page`, which is the page at this position.
    /// - Returns: nil if the page was empty and no rows follow.
    /// - Throws: if the rows are out of order or the listing does not advance.
    package func next(after page: [RemoteRecord], by field: TimeField) throws(RemoteError) -> KeysetPosition? {
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
    /// The time one millisecond later.
    package var next: ParseDate { ParseDate(milliseconds: milliseconds + 1) }
}

extension RemoteRecord {
    package subscript(field: KeysetPosition.TimeField) -> ParseDate {
        switch field {
        case .createdAt: createdAt
        case .updatedAt: updatedAt
        }
    }
}
