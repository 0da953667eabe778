/// The number of rows in a page of a class whose pages of the usual size are too large. Pure.
///
/// A page above the limit is read again at half the size, down to one row. The size grows again: with each page after a
/// single row that was too large, otherwise after several pages of the same size.
struct PageLimit: Sendable, Hashable {
    private(set) var rows: Int
    /// The number of stored pages of this size.
    private var pages = 0
    /// Whether the previous page was a single row above the limit. The rows after it may be small.
    private var isBehindLargeRow = false

    /// The number of pages after which the size doubles.
    static let pagesBeforeGrowth = 8

    /// - Parameter rows: the size of the page above the limit; more than one.
    init(halving rows: Int) { self.rows = max(1, rows / 2) }

    /// Notes that a page of this size was stored.
    mutating func notePage() {
        pages += 1
        guard isBehindLargeRow || pages >= Self.pagesBeforeGrowth else { return }
        rows *= 2
        pages = 0
    }

    /// Notes that the single row of the page was skipped.
    mutating func noteSkippedRow() {
        isBehindLargeRow = true
        pages = 0
    }
}
