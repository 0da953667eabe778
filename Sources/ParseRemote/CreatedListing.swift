import ParseModel
import RemoteService
import SyncModel

/// Lists the objects created at or after a server time, oldest first, page by page.
struct CreatedListing {
    /// The maximum number of objects in the listing. The object of an earlier create is near its beginning.
    static let recordsMax = 10_000
    /// The maximum total size of the answers, in bytes.
    static let bytesMax = 64 << 20

    private let className: String
    private var limit: Int
    /// Whether a single row exceeds a bound. Only its id and times are then requested, and the results omit it.
    private var isPassing = false
    private var position: KeysetPosition?
    /// The server time at which the listing began. Objects created later are left out.
    private var beganAt: ParseDate?
    private var seen: Set<String> = []
    private var bytes = 0
    private(set) var found: [RemoteRecord] = []

    init(className: String, since: ParseDate, limit: Int) {
        self.className = className
        self.limit = limit
        position = .from(since)
    }

    /// The next query; nil at the end.
    var query: ListQuery? {
        let keys = isPassing ? ["objectId"] : nil
        return position?.query(of: PullQuery(className: className, keys: keys), by: .createdAt, limit: limit)
    }

    /// Halves the page after a reply to `query` that exceeds a bound, and skips a single row that is too large.
    /// - Returns: false if the page cannot become smaller.
    mutating func halve() -> Bool {
        guard !isPassing else { return false }
        if limit == 1 { isPassing = true }
        limit = max(1, limit / 2)
        return true
    }

    /// Adds the objects of the reply to `query`, and moves on to the next page.
    mutating func take(_ reply: ListReply) throws(RemoteError) {
        let records = try reply.records()
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
