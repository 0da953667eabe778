import ParseModel
import RemoteService
import SyncModel

/// Requests the next pages of a pull, while the caller stores the previous ones.
///
/// In a first pull, one write stores up to three full pages of small rows. Each page changes much of the index of ids, and a write changes
/// each part of the index once. With three pages in a write, the first sync of 1,000,000 objects takes 20% less time.
struct PagesAhead {
    private static let pagesMax = 3
    /// A page is joined only to pages with less than this length of rows, in bytes.
    private static let bytesMax = 1 << 20

    private let context: SyncContext
    private let first: PullRequest
    private let began: ParseDate
    /// Whether a page after a short page is requested with the count.
    private let wantsCounts: Bool
    /// Whether the class has no local bases. Otherwise, each page is compared with the rows that the page before it has stored.
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

    /// Sends a request, and then further ones whose pages are joined to its page. A page that cannot be read ends the joined page before
    /// it, so that its request is sent again by the next call.
    /// - Returns: the joined page, its latest request and the rows of its latest page; nil if `request` is nil.
    func pages(
        _ request: PullRequest?
    ) async throws -> (page: PullPage, request: PullRequest, lastRows: Int)? {
        guard var request, var page = try await remote.pageAhead(request) else { return nil }
        var lastRows = page.changes.count
        for _ in 1..<Self.pagesMax {
            guard isNew, !remote.isHalted, lastRows >= pageSize, page.rowBytes < Self.bytesMax,
                context.store.storesPagesTogether, let next = self.request(after: page, lastRows: lastRows),
                let added = try? await remote.pageAhead(next)
            else { break }
            (page, request, lastRows) = (page.joined(with: added), next, added.changes.count)
        }
        return (page, request, lastRows)
    }
}

extension PullPage {
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
