import Testing

@testable import ParseRemote

@Suite struct BatchLimitTests {
    private func sizes(_ limit: BatchLimit, _ sizes: [Int]) -> [Int] { limit.batches(of: sizes).map(\.count) }

    @Test func theBatchLimitStartsAtTheConfiguredMaximum() {
        let limit = BatchLimit(countMax: 50)
        #expect(sizes(limit, Array(repeating: 1000, count: 120)) == [50, 50, 20])
        #expect(sizes(limit, []) == [])
    }

    @Test func aBatchLimitInTheServersMessageIsUsed() {
        var limit = BatchLimit(countMax: 50)
        limit.noteRefusal(ofCount: 50, named: 20)
        #expect(limit.count == 20)
        for _ in 0..<1000 { limit.noteAccepted(count: 20, bytes: nil) }
        #expect(limit.count == 20)
    }

    @Test func theBatchLimitIsHalvedIfTheServersMessageNamesNone() {
        var limit = BatchLimit(countMax: 50)
        for _ in 0..<4 { limit.noteRefusal(ofCount: 50, named: nil) }
        #expect(limit.count == 25)
        limit.noteRefusal(ofCount: 25, named: 300)
        #expect(limit.count == 12)
    }

    @Test func theBatchLimitGrowsAgainAfterManyFullBatches() {
        var limit = BatchLimit(countMax: 50)
        limit.noteRefusal(ofCount: 50, named: nil)
        for _ in 0..<BatchLimit.batchesBeforeGrowth * 2 { limit.noteAccepted(count: 3, bytes: nil) }
        #expect(limit.count == 25)
        for _ in 0..<BatchLimit.batchesBeforeGrowth { limit.noteAccepted(count: 25, bytes: nil) }
        #expect(limit.count == 50)
    }

    @Test func itemsOverTheByteLimitOfABatchAreSentAlone() {
        var limit = BatchLimit(countMax: 50)
        limit.noteRefusal(ofBytes: 200)
        #expect(limit.bytes == 100)
        #expect(sizes(limit, [40, 40, 40, 500, 40]) == [2, 1, 1, 1])
        for _ in 0..<BatchLimit.batchesBeforeGrowth { limit.noteAccepted(count: 2, bytes: 80) }
        #expect(limit.bytes == 200)
    }
}
