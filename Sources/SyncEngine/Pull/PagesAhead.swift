import ParseModel
import RemoteService
import SyncModel

/// Requests the next pages of a pull, while the caller stores the previous ones.
///
/// While a class without local objects is pulled, up to three full pages of small rows are joined, and one write stores them. Each page
/// changes much of the index of ids, and a write stores each changed part of the index once. With three pages in a write, the first sync
/// of 1,000,000 objects takes 17% less time.
struct PagesAhead {
    /// A page, or several pages that one write stores.
    struct Joined {
        fileprivate(set) var page: PullPage
        /// The request for the last one of the pages.
        fileprivate(set) var request: PullRequest
        /// The number of rows of the last one of the pages.
        fileprivate(set) var lastRows: Int
        /// The error of the request for the following page; nil if it was not requested.
        fileprivate(set) var failure: (any Error)?
    }

    private static let pagesMax = 3
    /// The length of the joined rows, in bytes, from which no further page is joined.
    private static let bytesMax = 1 << 20

    private let context: SyncContext
    private let first: PullRequest
    private let began: ParseDate
    /// Whether the number of remote objects is requested with the page after a short page.
    private let wantsCounts: Bool
    /// Whether the store has no objects of the class. Otherwise each page is compared with the rows that the previous
    /// page has stored, so pages are not joined.
    private let isNew: Bool

    init(after first: PullRequest, began: ParseDate, wantsCounts: Bool, isNew: Bool, _ context: SyncContext) {
        self.first = first
        self.began = began
        self.wantsCounts = wantsCounts
        self.isNew = isNew
        self.context = context
    }

    private var remote: RemoteReader { context.remote }
    private var className: String { first.className }
    private var pageSize: Int { remote.capabilities(of: className).pageSize }

    /// The request for the page after the given one; nil after the last page.
    func request(after page: PullPage, lastRows: Int) -> PullRequest? {
        guard !page.isLast else { return nil }
        return PullRequest(
            first.query, cursor: page.cursor, until: began + .seconds(1), limit: remote.pageLimit(of: className),
            wantsCount: wantsCounts && lastRows < pageSize, counted: first.counted)
    }

    /// Sends a request, and then the requests for the pages that one write stores together with its page. If a later
    /// request fails, the caller first stores the pages before it.
    /// - Parameters:
    ///   - request: nil after the last page.
    ///   - failure: the known error of the request, which is then not sent.
    /// - Returns: nil if `request` is nil.
    func pages(_ request: PullRequest?, failure: (any Error)?) async throws -> Joined? {
        if let failure { throw failure }
        guard let request, let page = try await remote.pageAhead(request) else { return nil }
        var joined = Joined(page: page, request: request, lastRows: page.changes.count)
        for _ in 1..<Self.pagesMax {
            guard isNew, !remote.isHalted, joined.lastRows >= pageSize, joined.page.rowBytes < Self.bytesMax,
                joined.page.changes.count + pageSize <= context.store.rowsTogether,
                let next = self.request(after: joined.page, lastRows: joined.lastRows)
            else { break }
            do {
                guard let added = try await remote.pageAhead(next), !added.showsNothing else { break }
                joined.page = joined.page.joined(with: added)
                (joined.request, joined.lastRows) = (next, added.changes.count)
            } catch {
                joined.failure = error
                break
            }
        }
        return joined
    }
}

extension PullPage {
    /// Whether the remote seems to have no objects at all. Such a page stays alone, because it does not complete a
    /// pull.
    var showsNothing: Bool { count == 0 && changes.isEmpty }

    /// The length of the rows as JSON, in bytes.
    fileprivate var rowBytes: Int {
        changes.reduce(0) { sum, change in
            guard case .upsert(let record) = change else { return sum }
            return sum + record.jsonText.utf8.count
        }
    }

    fileprivate func joined(with next: PullPage) -> PullPage {
        PullPage(
            changes: changes + next.changes, cursor: next.cursor ?? cursor, isLast: next.isLast,
            count: next.count ?? count, serverTime: serverTime)
    }
}
