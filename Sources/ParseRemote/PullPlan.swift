import ParseModel
import RemoteService
import SyncModel

/// Plans the queries for one page of a pull, and builds the page from the replies. Sends no requests itself.
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

    /// The next queries: one for the rows; one as a canary if the page needs it (its answer shows whether an empty list
    /// is credible); and, in the first round, one for the count if the request asks for it.
    var queries: [ListQuery] {
        var queries = [plan.position.query(of: request.query, by: .updatedAt, limit: limit)]
        if plan.position.needsCanary { queries.append(.anyObject(of: request.query)) }
        if plan.wantsCount { queries.append(.count(of: request.counted)) }
        return queries
    }

    /// Builds the page from the replies to `queries`, or prepares a second round of queries.
    mutating func take(_ replies: ArraySlice<ListReply>) throws(RemoteError) {
        var replies = replies
        guard let rows = replies.popFirst() else { return }
        let records = try rows.records()
        var isCanaryMissing = false
        if plan.position.needsCanary, let canary = replies.popFirst() { isCanaryMissing = try canary.results().isEmpty }
        guard let answeredAt = rows.serverTime else {
            throw .faulty(status: 200, reason: "the answer does not tell the server's time (Date)")
        }
        try plan.take(
            records, at: answeredAt, counted: try replies.first?.countIfAllowed(), isCanaryMissing: isCanaryMissing)
    }
}
