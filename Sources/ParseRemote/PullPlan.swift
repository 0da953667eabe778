import ParseModel
import RemoteService
import SyncModel

/// Plans the queries for one page of a pull, and builds the page from the replies. Pure.
struct PullPlan {
    private let request: PullRequest
    private let limit: Int
    private var plan: PagePlan

    /// The page; nil until it is complete.
    var page: PullPage? { plan.page }

    init(_ request: PullRequest, limit: Int) {
        self.request = request
        self.limit = min(limit, max(1, request.limit ?? limit))
        plan = PagePlan(request)
    }

    /// The next queries: one for the rows and, in the first round, one for the count if the request asks for it.
    var queries: [ListQuery] {
        let rows = plan.position.query(of: request.query, by: .updatedAt, limit: limit)
        return plan.wantsCount ? [rows, .count(of: request.counted)] : [rows]
    }

    /// Builds the page from the replies to `queries`, or prepares a second round of queries.
    mutating func take(_ replies: ArraySlice<ListReply>) throws(RemoteError) {
        guard let rows = replies.first else { return }
        let records = try rows.records()
        guard let answeredAt = rows.serverTime else {
            throw .faulty(status: 200, reason: "the answer does not tell the server's time (Date)")
        }
        try plan.take(records, at: answeredAt, counted: try replies.dropFirst().first?.countIfAllowed())
    }
}
