import ParseModel
import RemoteService
import SyncModel

/// One request of a pull on its way to its page: which queries to send, and what their answers make of it.
struct PullPlan {
    private let request: PullRequest
    private let limit: Int
    private var position: KeysetPosition
    /// What the first answers told; kept when a second query is needed.
    private var serverTime: ParseDate?
    private var count: Int?
    /// What the page carries if it is empty: the request's own cursor, unless a millisecond has come to its end.
    private var cursorIfEmpty: PullCursor?

    /// The page, once it is there.
    private(set) var page: PullPage?

    init(_ request: PullRequest, limit: Int) {
        self.request = request
        self.limit = min(limit, max(1, request.limit ?? limit))
        position = KeysetPosition(request.cursor)
        cursorIfEmpty = request.cursor
        if let lookBack = request.lookBackTo, let time = position.time, lookBack <= time { position = .from(lookBack) }
    }

    /// What to ask: the rows, and the first time the count where it is wanted.
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
        // The earlier time of two: what changes between them belongs to the next pull.
        let serverTime = serverTime ?? answeredAt
        self.serverTime = serverTime
        let next = try position.next(after: records, by: .updatedAt)
        if records.isEmpty, let next {
            // The rows behind the millisecond make the page.
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

    /// `until` is a `Date` header: the instant that it stands for lies up to 999 ms later.
    private func isLast(_ records: [RemoteRecord]) -> Bool {
        guard let last = records.last else { return true }
        guard let until = request.until else { return false }
        return last.updatedAt > until + .milliseconds(999)
    }
}
