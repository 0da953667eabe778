import ParseModel
import SyncModel

/// Builds one page of a pull from lists of rows that are sorted by time and id (keyset pagination). Usually one list
/// suffices. A second list follows if the first list only shows that all rows of one millisecond have been listed.
/// Sends no requests itself.
package struct PagePlan {
    private let request: PullRequest
    /// The position from which the next list begins.
    package private(set) var position: KeysetPosition
    /// The server time and the count from the first list. A second list does not change these values.
    private var serverTime: ParseDate?
    private var count: Int?
    /// The page's cursor if the page is empty. For the first list, this is the cursor of the request. For a second list, this is
    /// the position after the millisecond whose rows have all been listed.
    private var cursorIfEmpty: PullCursor?

    /// The page; nil until it is complete.
    package private(set) var page: PullPage?

    package init(_ request: PullRequest) {
        self.request = request
        position = KeysetPosition(request.cursor)
        cursorIfEmpty = request.cursor
        if let lookBack = request.lookBackTo, let time = position.time, lookBack <= time { position = .from(lookBack) }
    }

    /// Whether the matches of `PullRequest.counted` must be counted together with the next list.
    package var wantsCount: Bool { request.wantsCount && serverTime == nil }

    /// Builds the page from the rows of a list at `position`, or moves `position` for a second list.
    /// - Parameters:
    ///   - answeredAt: the server time of the list.
    ///   - counted: the count, if `wantsCount` is true; nil if the remote forbids counting.
    ///   - isCanaryMissing: whether the canary, a second list that has a row if any object matches, is empty. An empty
    ///     list of rows then ends the pull with the count zero, and the cursor stays.
    /// - Throws: if the rows are out of order or the listing does not advance.
    package mutating func take(
        _ records: [RemoteRecord], at answeredAt: ParseDate, counted: Int? = nil, isCanaryMissing: Bool = false
    ) throws(RemoteError) {
        if wantsCount { count = counted }
        // With two lists, the earlier server time counts. Changes between the lists belong to the next pull.
        let serverTime = serverTime ?? answeredAt
        self.serverTime = serverTime
        let showsNothing = records.isEmpty && isCanaryMissing
        if showsNothing { count = 0 }
        let next = showsNothing ? nil : try position.next(after: records, by: .updatedAt)
        if records.isEmpty, let next {
            // All rows of one millisecond have been listed. A second list has the rows after that millisecond.
            position = next
            cursorIfEmpty = next.cursor
            return
        }
        page = PullPage(
            changes: records.map { record in
                record.isDeleted
                    ? .tombstone(className: record.className, objectId: record.objectId) : .upsert(record.withText())
            }, cursor: next?.cursor ?? cursorIfEmpty, isLast: isLast(records), count: count, serverTime: serverTime)
    }

    /// Whether the pull ends with this page: the page is empty, or its last row changed at least a second after `until`.
    private func isLast(_ records: [RemoteRecord]) -> Bool {
        guard let last = records.last else { return true }
        guard let until = request.until else { return false }
        return last.updatedAt > until + .milliseconds(999)
    }
}
