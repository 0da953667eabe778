import ParseModel
import RemoteService
import SyncModel

/// Lists the objects created at or after a server time, oldest first, page by page.
struct CreatedListing {
    /// Where the listing stops: an object that an earlier create made stands near its beginning.
    static let recordsMax = 10_000
    /// The listing stops behind answers of so many bytes as well.
    static let bytesMax = 64 << 20

    private let className: String
    private var limit: Int
    /// One row is too much already: only its id and times are asked for, and it is no candidate.
    private var isPassing = false
    private var position: KeysetPosition?
    /// When the listing began, by the server's clock: what is created later is not waited for.
    private var beganAt: ParseDate?
    private var seen: Set<String> = []
    private var bytes = 0
    private(set) var found: [RemoteRecord] = []

    init(className: String, since: ParseDate, limit: Int) {
        self.className = className
        self.limit = limit
        position = .from(since)
    }

    /// What to ask next; nil at the end.
    var query: ListQuery? {
        let keys = isPassing ? ["objectId"] : nil
        return position?.query(of: PullQuery(className: className, keys: keys), by: .createdAt, limit: limit)
    }

    /// The reply to `query` is more than is taken in: it is asked again for half as much, and past a row that is too large.
    /// - Returns: false where even that is too much.
    mutating func halve() -> Bool {
        guard !isPassing else { return false }
        if limit == 1 { isPassing = true }
        limit = max(1, limit / 2)
        return true
    }

    /// Takes the reply to `query`.
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
