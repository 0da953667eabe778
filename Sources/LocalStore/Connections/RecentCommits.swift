/// Tracks the kinds of the latest commits, to find out whether a long pull is in progress and whether clients write during it.
package struct RecentCommits {
    /// The limits by which the rows of a long pull are divided into writes.
    package struct Limits {
        /// After this number of consecutive commits of pulls, pulls count as the only writers.
        package var commitsOfPagesMin: Int
        /// The number of rows in one write of a short pull, and of a long pull until a client writes during it. It equals a page
        /// of a Parse Server.
        package var rowsUsual: Int
        /// The number of rows in one write of a long pull while clients write during it. One in a hundred of the
        /// clients' writes took more than 47 ms with 1,000 rows, and more than 36 ms with 500 rows.
        package var rowsBesideOthers: Int

        package init(commitsOfPagesMin: Int = 10, rowsUsual: Int = 1000, rowsBesideOthers: Int = 500) {
            precondition(min(rowsUsual, rowsBesideOthers) > 0, "a write stores at least one row")
            self.commitsOfPagesMin = commitsOfPagesMin
            self.rowsUsual = rowsUsual
            self.rowsBesideOthers = rowsBesideOthers
        }
    }

    /// The number of rows in one write while pulls are the only writers.
    private static let rowsAlone = 3000
    /// After this number of commits without a page of a pull, no long pull counts as in progress.
    private static let commitsOfOthersMin = 100

    private let limits: Limits
    private var sinceOther = 0
    private var sincePage = commitsOfOthersMin
    private var isLatestOther = true
    /// Whether clients have written since the first page of the pull.
    private var hasOthersBeside = false

    init(_ limits: Limits) { self.limits = limits }

    /// Records a commit.
    /// - Parameter kinds: the kinds of the writes in the commit.
    mutating func note(_ kinds: Set<WriteKind>) {
        isLatestOther = kinds.contains(.other)
        sinceOther = isLatestOther ? 0 : min(sinceOther + 1, limits.commitsOfPagesMin)
        if isLatestOther {
            sincePage = min(sincePage + 1, Self.commitsOfOthersMin)
        } else {
            sincePage = kinds.contains(.lastPage) ? Self.commitsOfOthersMin : 0
        }
        hasOthersBeside = isPulling && (hasOthersBeside || isLatestOther)
    }

    private var isPulling: Bool { sincePage < Self.commitsOfOthersMin }
    private var hasOnlyPages: Bool { sinceOther >= limits.commitsOfPagesMin }

    /// The number of rows of a pull that the next write should store.
    var pageRows: Int {
        if hasOnlyPages { return Self.rowsAlone }
        return hasOthersBeside ? limits.rowsBesideOthers : limits.rowsUsual
    }

    /// Whether the larger limit of the write-ahead log applies after the latest commit. While clients write during a long pull,
    /// checkpoints run only after commits of pages, so that no write of a client triggers the checkpoint of a large log.
    var allowsLargeLog: Bool { isPulling && (isLatestOther || hasOnlyPages) }
}
