import ParseModel
import RemoteService
import SyncModel

/// Lists the objects created at or after a server time, oldest first, page by page.
struct CreatedListing {
    /// The maximum number of listed objects.
    static let recordsMax = 10_000
    /// The listing ends when the answers have this number of bytes in total.
    static let bytesMax = 64 << 20

    private let className: String
    private let since: ParseDate
    private var limit: Int
    /// Whether the next query skips a row that is too large for an answer. The query then requests only the id and
    /// times of the row, and the row is not added to `found`.
    private var isPassing = false
    private var position: KeysetPosition?
    /// The server time of the first reply; nil before it. A row created more than a second after this time ends the listing.
    private var beganAt: ParseDate?
    private var seen: Set<String> = []
    private var bytes = 0
    private(set) var found: [RemoteRecord] = []

    init(className: String, since: ParseDate, limit: Int) {
        self.className = className
        self.since = since
        self.limit = limit
        position = .from(since)
    }

    /// The query for the next page; nil at the end of the listing.
    var query: ListQuery? {
        let keys = isPassing ? ["objectId"] : nil
        return position?.query(of: PullQuery(className: className, keys: keys), by: .createdAt, limit: limit)
    }

    /// The query that must be sent together with `query` as a canary: it has a row if any object matches, so an empty
    /// answer shows a faulty server. Nil if the page needs none.
    var canary: ListQuery? {
        guard position?.needsCanary == true else { return nil }
        return .anyObject(of: PullQuery(className: className), and: CreatedRange(from: since).conditions(after: nil))
    }

    /// Halves the page size after a reply that exceeded the size limit. If the page size was one row, skips the row.
    /// - Returns: false if the row exceeds the size limit even without its fields.
    mutating func halve() -> Bool {
        guard !isPassing else { return false }
        if limit == 1 { isPassing = true }
        limit = max(1, limit / 2)
        return true
    }

    /// Adds the objects of the reply to `found`, and moves to the next page.
    /// - Parameter canary: the reply to the `canary` query; nil for none.
    /// - Throws: `RemoteError.faulty` if both lists are empty.
    mutating func take(_ reply: ListReply, canary: ListReply? = nil) throws(RemoteError) {
        let records = try reply.records()
        if records.isEmpty, let canary, try canary.results().isEmpty {
            throw .faulty(status: 200, reason: "the lists of \(className) have become empty")
        }
        beganAt = beganAt ?? reply.serverTime
        bytes += reply.bytes
        position = try position?.next(after: records, by: .createdAt)
        defer { isPassing = false }
        if isPassing { return }
        for record in records where found.count < Self.recordsMax && seen.insert(record.objectId).inserted {
            found.append(record)
        }
        let isPastBeginning =
            records.last.flatMap { last in beganAt.map { last.createdAt > $0 + .seconds(1) } } ?? false
        if found.count >= Self.recordsMax || bytes >= Self.bytesMax || isPastBeginning { position = nil }
    }
}
