import ParseModel
import RemoteService
import SyncModel

/// One request of a pull: provides the next queries, and builds a page from their replies. Pure.
struct PullPlan {
    private let request: PullRequest
    private let limit: Int
    private var position: KeysetPosition
    /// The server time of the first replies, kept for a second round of queries.
    private var serverTime: ParseDate?
    private var count: Int?
    /// The cursor of an empty page: the cursor of the request, unless the listing of one millisecond has ended.
    private var cursorIfEmpty: PullCursor?

    /// The page; nil until it is complete.
    private(set) var page: PullPage?

    init(_ request: PullRequest, limit: Int) {
        self.request = request
        self.limit = min(limit, max(1, request.limit ?? limit))
        position = KeysetPosition(request.cursor)
        cursorIfEmpty = request.cursor
        if let lookBack = request.lookBackTo, let time = position.time, lookBack <= time { position = .from(lookBack) }
    }

    /// The next queries: the rows, and once the count if it is requested.
    var queries: [ListQuery] {
        let rows = position.query(of: request.query, by: .updatedAt, limit: limit)
        return request.wantsCount && serverTime == nil ? [rows, .count(of: request.counted)] : [rows]
    }

    /// Takes the replies to `queries`.
    mutating func take(_ replies: ArraySlice<ListReply>) throws(RemoteError) {
        guard let rows = replies.first else { return }
        let records = try rows.records()
        guard let answeredAt = rows.serverTime else {
            throw .faulty(status: 200, reason: "the answer does not tell the server's time (Date)")
        }
        if let counted = replies.dropFirst().first { count = try counted.countIfAllowed() }
        // The earlier of two server times, so that changes between them belong to the next pull.
        let serverTime = serverTime ?? answeredAt
        self.serverTime = serverTime
        let next = try position.next(after: records, by: .updatedAt)
        if records.isEmpty, let next {
            // The rows after that millisecond become the page.
            position = next
            cursorIfEmpty = next.cursor
            return
        }
        page = PullPage(
            changes: records.map { .upsert($0.withText()) }, cursor: next?.cursor ?? cursorIfEmpty,
            isLast: isLast(records),
            count: count,
            serverTime: serverTime)
    }

    /// Whether no further page is needed. `until` is a `Date` header in whole seconds, which the server wrote up to 999 ms later.
    private func isLast(_ records: [RemoteRecord]) -> Bool {
        guard let last = records.last else { return true }
        guard let until = request.until else { return false }
        return last.updatedAt > until + .milliseconds(999)
    }
}
