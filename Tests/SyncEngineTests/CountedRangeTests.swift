import ParseModel
import RemoteService
import StoreService
import SyncModel
import Testing

@Suite("Splitting of ranges of creation times")
struct CountedRangeTests {
    private func date(_ milliseconds: Int64) -> ParseDate { ParseDate(milliseconds: milliseconds) }

    private func parts(_ all: [Int64], hidden: [Int64] = [], _ count: Int) -> [CountedRange] {
        CountedRange.parts(of: CreatedRange(from: date(0), to: date(100)), count, all: all, hidden: hidden)
    }

    @Test func thePartsOfASplitRangeHaveSimilarCounts() {
        #expect(
            parts([1, 2, 3, 4, 5, 6], hidden: [4], 3) == [
                CountedRange(CreatedRange(from: date(0), to: date(3)), count: 2),
                CountedRange(CreatedRange(from: date(3), to: date(5)), count: 1),
                CountedRange(CreatedRange(from: date(5), to: date(100)), count: 2),
            ])
    }

    @Test func objectsOfOneCreationTimeStayInOnePartOfASplitRange() {
        #expect(
            parts([7, 7, 7, 7, 9], 4) == [
                CountedRange(CreatedRange(from: date(0), to: date(100)), count: 5)
            ])
        #expect(parts([1, 7, 7, 7, 7], 4).map(\.count) == [1, 4])
    }

    @Test func anEmptyRangeIsNotSplit() { #expect(parts([], 4).map(\.count) == [0]) }

    @Test func aRangeWithoutBoundsIsSplit() {
        let parts = CountedRange.parts(of: .all, 2, all: [1, 2], hidden: [])
        #expect(parts.map(\.range) == [CreatedRange(to: date(2)), CreatedRange(from: date(2))])
        #expect(parts.map(\.count) == [1, 1])
    }
}
