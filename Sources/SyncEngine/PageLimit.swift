/// How many rows are asked for in one page of a class of which a page of the usual size is too much. Pure.
///
/// A page over a bound is asked for again at half the size, down to one row. The size grows again: with each page after a
/// single row that was too much, else after some pages of the same size.
struct PageLimit: Sendable, Hashable {
    private(set) var rows: Int
    /// Pages of this size that were taken in.
    private var pages = 0
    /// One row was too much, and the rows behind it may be small.
    private var isBehindLargeRow = false

    /// After so many pages of a size, twice as many rows are asked for.
    static let pagesBeforeGrowth = 8

    /// - Parameter rows: of the page that is too much; more than one.
    init(halving rows: Int) { self.rows = max(1, rows / 2) }

    /// A page of the size was taken in.
    mutating func notePage() {
        pages += 1
        guard isBehindLargeRow || pages >= Self.pagesBeforeGrowth else { return }
        rows *= 2
        pages = 0
    }

    /// The one row that was asked for is left out.
    mutating func noteSkippedRow() {
        isBehindLargeRow = true
        pages = 0
    }
}
