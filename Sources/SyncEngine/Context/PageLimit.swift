/// The reduced number of rows in a page, for a class whose pages exceed the size limit of an answer. Has no side
/// effects.
///
/// A page above the size limit is requested again with half the rows, down to one row. The number of rows doubles after
/// several pages within the limit. After a single row above the limit was skipped, each page doubles the number of
/// rows.
struct PageLimit: Sendable, Hashable {
    private(set) var rows: Int
    /// The number of pages that arrived since the number of rows last changed or a row was skipped.
    private var pages = 0
    /// Whether a single row above the size limit of an answer was skipped since the number of rows was last halved. The following
    /// rows may be small, so the number of rows then doubles with each page.
    private var isBehindLargeRow = false

    /// The number of pages after which the number of rows doubles, unless `isBehindLargeRow` is set.
    static let pagesBeforeGrowth = 8

    /// - Parameter rows: the number of rows in the page that exceeded the size limit of an answer; greater than one.
    init(halving rows: Int) { self.rows = max(1, rows / 2) }

    /// Counts a page within the size limit. Doubles `rows` after `pagesBeforeGrowth` pages, or at once if `isBehindLargeRow`.
    mutating func notePage() {
        pages += 1
        guard isBehindLargeRow || pages >= Self.pagesBeforeGrowth else { return }
        rows *= 2
        pages = 0
    }

    /// Records that a single row above the size limit of an answer was skipped.
    mutating func noteSkippedRow() {
        isBehindLargeRow = true
        pages = 0
    }
}
