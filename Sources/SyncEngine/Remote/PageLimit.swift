/// The number of rows in a page of a class for which a page of the usual size is too large. Pure.
///
/// A page over a bound is asked for again at half the size, down to one row. The size grows again: with each page after a
/// single row that was too large, otherwise after some pages of the same size.
struct PageLimit: Sendable, Hashable {
    private(set) var rows: Int
    /// How many pages of this size were stored.
    private var pages = 0
    /// A single row was too large. The rows behind it may be small.
    private var isBehindLargeRow = false

    /// After so many pages of one size, the size doubles.
    static let pagesBeforeGrowth = 8

    /// - Parameter rows: the size of the page that was too large; more than one.
    init(halving rows: Int) { self.rows = max(1, rows / 2) }

    /// A page of this size was stored.
    mutating func notePage() {
        pages += 1
        guard isBehindLargeRow || pages >= Self.pagesBeforeGrowth else { return }
        rows *= 2
        pages = 0
    }

    /// The single row of the page is left out.
    mutating func noteSkippedRow() {
        isBehindLargeRow = true
        pages = 0
    }
}
