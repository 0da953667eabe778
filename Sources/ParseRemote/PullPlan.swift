import ParseModel
import RemoteService
import SyncModel

/// Plans the queries for one page of a pull, and builds the page from the replies. Pure.
struct PullPlan {
    private let request: PullRequest
    private let limit: Int
    private var position: KeysetPosition
    /// The server time and the count from the first round of queries. A second round does not change these values.
    private var serverTime: ParseDate?
    private var count: Int?
    /// The page's cursor if the page is empty. In the first round, this is the cursor of the request. In a second round, this is
    /// the position after the millisecond whose rows have all been listed.
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

    /// The next queries: one for the rows and, in the first round, one for the count if the request asks for it.
    var queries: [ListQuery] {
        let rows = position.query(of: request.query, by: .updatedAt, limit: limit)
        return request.wantsCount && serverTime == nil ? [rows, .count(of: request.counted)] : [rows]
    }

    /// Builds the page from the replies to `queries`, or prepares a second round of queries.
    mutating func take(_ replies: ArraySlice<ListReply>) throws(RemoteError) {
        guard let rows = replies.first else { return }
        let records = try rows.records()
        guard let answeredAt = rows.serverTime else {
            throw .faulty(status: 200, reason: "the answer does not tell the server's time (Date)")
        }
        if let counted = replies.dropFirst().first { count = try counted.countIfAllowed() }
        // With two rounds, the earlier server time counts. Changes between the rounds belong to the next pull.
        let serverTime = serverTime ?? answeredAt
        self.serverTime = serverTime
        let next = try position.next(after: records, by: .updatedAt)
        if records.isEmpty, let next {
            // All rows of one millisecond have been listed. A second round requests the rows after that millisecond.
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

    /// Whether the pull ends with this page: the page is empty, or its last row changed at least a second after `until`.
    private func isLast(_ records: [RemoteRecord]) -> Bool {
        guard let last = records.last else { return true }
        guard let until = request.until else { return false }
        return last.updatedAt > until + .milliseconds(999)
    }
}
