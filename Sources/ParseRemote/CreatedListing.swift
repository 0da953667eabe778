import ParseModel
import RemoteService

/// Lists the objects created at or after a server time, oldest first, page by page.
struct CreatedListing {
    /// Where the listing stops: an object that an earlier create made stands near its beginning.
    static let recordsMax = 10_000

    private let className: String
    private let limit: Int
    private var position: KeysetPosition?
    /// When the listing began, by the server's clock: what is created later is not waited for.
    private var beganAt: ParseDate?
    private var seen: Set<String> = []
    private(set) var found: [RemoteRecord] = []

    init(className: String, since: ParseDate, limit: Int) {
        self.className = className
        self.limit = limit
        position = .from(since)
    }

    /// What to ask next; nil at the end.
    var query: ListQuery? { position?.query(of: PullQuery(className: className), by: .createdAt, limit: limit) }

    /// Takes the reply to `query`.
    mutating func take(_ reply: ListReply) throws(RemoteError) {
        let records = try reply.records()
        beganAt = beganAt ?? reply.serverTime
        position = try position?.next(after: records, by: .createdAt)
        for record in records where found.count < Self.recordsMax && seen.insert(record.objectId).inserted {
            found.append(record)
        }
        let isPastBeginning =
            records.last.flatMap { last in beganAt.map { last.createdAt > $0 + .seconds(1) } } ?? false
        if found.count >= Self.recordsMax || isPastBeginning { position = nil }
    }
}
