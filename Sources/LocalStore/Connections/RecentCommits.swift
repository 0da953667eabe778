/// The kinds of the latest commits. They show whether a long pull is in progress, and whether others write beside it.
package struct RecentCommits {
    /// How a store divides the rows of a long pull into writes.
    package struct Limits {
        /// Pages are the only writes after this number of commits without another write.
        package var commitsOfPagesMin: Int
        /// How many rows one write stores in other pulls, and until it is known that others write. This is a page of a Parse Server.
        package var rowsUsual: Int
        /// How many rows one write stores while others write beside a long pull. With 1,000 rows, one in a hundred of a client's
        /// writes took more than 47 ms, and with 500 rows more than 36 ms.
        package var rowsBesideOthers: Int

        package init(commitsOfPagesMin: Int = 10, rowsUsual: Int = 1000, rowsBesideOthers: Int = 500) {
            precondition(min(rowsUsual, rowsBesideOthers) > 0, "a write stores at least one row")
            self.commitsOfPagesMin = commitsOfPagesMin
            self.rowsUsual = rowsUsual
            self.rowsBesideOthers = rowsBesideOthers
        }
    }

    /// How many rows one write stores while pages are the only writes.
    private static let rowsAlone = 3000
    /// No long pull is in progress after this number of commits without a page.
    private static let commitsOfOthersMin = 100

    private let limits: Limits
    private var sinceOther = 0
    private var sincePage = commitsOfOthersMin
    private var isLatestOther = true
    /// Whether others wrote since the first page of the pull.
    private var hasOthersBeside = false

    init(_ limits: Limits) { self.limits = limits }

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

    /// How many rows of a pull the next write should store.
    var pageRows: Int {
        if hasOnlyPages { return Self.rowsAlone }
        return hasOthersBeside ? limits.rowsBesideOthers : limits.rowsUsual
    }

    /// Whether the write-ahead log may be large after the latest commit. While others write beside a long pull, the commits of pages make
    /// the checkpoints. The first other write does not make the checkpoint of a large log.
    var allowsLargeLog: Bool { isPulling && (isLatestOther || hasOnlyPages) }
}
