import Testing

@testable import LocalStore

@Suite("Recent commits")
struct RecentCommitsTests {
    private var commits = RecentCommits(RecentCommits.Limits(commitsOfPagesMin: 3, rowsBesideOthers: 7))

    private mutating func note(_ kind: WriteKind, times: Int = 1) {
        for _ in 0..<times { commits.note([kind]) }
    }

    @Test mutating func aShortPullStoresPagesOfTheUsualSize() {
        #expect(commits.pageRows == 1000)
        note(.other, times: 5)
        note(.lastPage)
        #expect(commits.pageRows == 1000)
    }

    @Test mutating func pagesWithoutClientWritesAreStoredTogether() {
        note(.page, times: 3)
        #expect(commits.pageRows == 3000)
        #expect(commits.allowsLargeLog)
    }

    @Test mutating func clientWritesDuringALongPullMakeItsTransactionsSmaller() {
        note(.page, times: 3)
        note(.other)
        #expect(commits.pageRows == 7)
        note(.page, times: 2)
        #expect(commits.pageRows == 7)
        #expect(!commits.allowsLargeLog)
        note(.page)
        #expect(commits.pageRows == 3000)
    }

    @Test mutating func clientWritesBeforeAPullDoNotMakeItsTransactionsSmaller() {
        note(.other, times: 5)
        note(.page, times: 2)
        #expect(commits.pageRows == 1000)
        note(.page)
        #expect(commits.pageRows == 3000)
    }

    @Test mutating func eachPullStartsWithPagesOfTheUsualSize() {
        note(.page)
        note(.other)
        #expect(commits.pageRows == 7)
        note(.lastPage)
        note(.page)
        #expect(commits.pageRows == 1000)
    }

    @Test mutating func anAbandonedPullNoLongerAffectsTheSizeOfTransactions() {
        note(.page)
        note(.other, times: 99)
        #expect(commits.pageRows == 7)
        note(.other)
        #expect(commits.pageRows == 1000)
        #expect(!commits.allowsLargeLog)
    }
}
