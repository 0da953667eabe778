import ParseModel
import SyncModel

/// What is asked of one class in one page.
package struct PullRequest: Sendable, Hashable {
    package let query: PullQuery
    /// Where the last page ended; nil to begin with the oldest object.
    package let cursor: PullCursor?
    /// The page starts at the earlier of the cursor and this server time, so that late commits are seen.
    package let lookBackTo: ParseDate?
    /// The server time at which this pull began: what changed later is the next pull's. Nil on a pull's first page.
    package let until: ParseDate?
    /// The most rows of the page; nil for the remote's own page size.
    package let limit: Int?
    /// Whether the page shall tell how many objects `counted` finds.
    package let wantsCount: Bool
    /// What is counted, where that is not all that is pulled.
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
    /// The next page of a whole class.
    package init(
        className: String, cursor: PullCursor?, lookBackTo: ParseDate? = nil, until: ParseDate? = nil,
        limit: Int? = nil, wantsCount: Bool = false
    ) {
        self.init(
            PullQuery(className: className), cursor: cursor, lookBackTo: lookBackTo, until: until, limit: limit,
            wantsCount: wantsCount)
    }
}

package struct PullPage: Sendable, Hashable {
    package let changes: [RemoteChange]
    /// Where the next page begins; the request's own cursor where the page is empty.
    package let cursor: PullCursor?
    /// No further page is needed: this one was empty, or reached past `until`.
    package let isLast: Bool
    /// How many objects `counted` finds remotely, where that was asked for and may be known.
    package let count: Int?
    /// The server's clock when it answered, whole seconds.
    package let serverTime: ParseDate

    package init(changes: [RemoteChange], cursor: PullCursor?, isLast: Bool, count: Int?, serverTime: ParseDate) {
        self.changes = changes
        self.cursor = cursor
        self.isLast = isLast
        self.count = count
        self.serverTime = serverTime
    }
}
