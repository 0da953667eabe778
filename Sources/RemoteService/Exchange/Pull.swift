import ParseModel
import SyncModel

/// The request for one page of a pull.
package struct PullRequest: Sendable, Hashable {
    package let query: PullQuery
    /// The position after the previous page; nil to begin with the oldest object.
    package let cursor: PullCursor?
    /// A server time. If the cursor is later, the page begins at this time instead, to include rows that the server has
    /// committed late. Nil to begin at the cursor.
    package let lookBackTo: ParseDate?
    /// The server time at which the pull ends. Rows that changed later belong to the next pull. Nil in the request for
    /// the pull's first page.
    package let until: ParseDate?
    /// The maximum number of rows in the page; nil for the remote's own page size.
    package let limit: Int?
    /// Whether to count the objects that match `counted`.
    package let wantsCount: Bool
    /// The query whose matches are counted. By default it equals `query`.
    package let counted: PullQuery

    package var className: String { query.className }

    package init(
        _ query: PullQuery, cursor: PullCursor?, lookBackTo: ParseDate? = nil, until: ParseDate? = nil,
        limit: Int? = nil, wantsCount: Bool = false, counted: PullQuery? = nil
    ) {
        self.query = query
        self.counted = counted ?? query
        self.cursor = cursor
        self.lookBackTo = lookBackTo
        self.until = until
        self.limit = limit
        self.wantsCount = wantsCount
    }
}

extension PullRequest {
    /// Makes a request for one page of a whole class, without conditions.
    package init(
        className: String, cursor: PullCursor?, lookBackTo: ParseDate? = nil, until: ParseDate? = nil,
        limit: Int? = nil, wantsCount: Bool = false
    ) {
        self.init(
            PullQuery(className: className), cursor: cursor, lookBackTo: lookBackTo, until: until, limit: limit,
            wantsCount: wantsCount)
    }
}

/// One page of a pull: changes of one class.
package struct PullPage: Sendable, Hashable {
    package let changes: [RemoteChange]
    /// The cursor for the next page; nil if the page is empty and its request has no cursor. The cursor of an empty
    /// page may be later than that of its request, if no rows lie between the two.
    package let cursor: PullCursor?
    /// Whether the pull ends with this page, because the page is empty or reaches past `until`.
    package let isLast: Bool
    /// The number of remote objects that match `counted`; nil if it was not requested or if permissions forbid counting.
    package let count: Int?
    /// The server time of the answer, in whole seconds.
    package let serverTime: ParseDate

    package init(changes: [RemoteChange], cursor: PullCursor?, isLast: Bool, count: Int?, serverTime: ParseDate) {
        self.changes = changes
        self.cursor = cursor
        self.isLast = isLast
        self.count = count
        self.serverTime = serverTime
    }
}
