import Testing

@testable import SyncEngine

struct PageLimitTests {
    @Test func thePageSizeIsHalvedAfterATooLargePage() {
        #expect([1000, 3, 2].map { PageLimit(halving: $0).rows } == [500, 1, 1])
    }

    @Test func thePageSizeGrowsAgainAfterSomePages() {
        var limit = PageLimit(halving: 200)
        for _ in 1..<PageLimit.pagesBeforeGrowth { limit.notePage() }
        #expect(limit.rows == 100)
        limit.notePage()
        #expect(limit.rows == 200)
        limit.notePage()
        #expect(limit.rows == 200)
    }

    /// Rows after a large one may be small, so a class of 100,000 rows is not read row by row.
    @Test func thePageSizeGrowsWithEachPageAfterALargeRow() {
        var limit = PageLimit(halving: 2)
        limit.noteSkippedRow()
        for _ in 0..<10 { limit.notePage() }
        #expect(limit.rows == 1024)
    }
}
