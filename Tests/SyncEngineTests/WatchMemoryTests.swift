import Testing

@testable import SyncEngine

@Suite("Memory of the checks for lost rights")
struct WatchMemoryTests {
    private var differences = WatchMemory.Differences()
    private var limit = WatchMemory.AnswerLimit()

    @Test mutating func aFieldThatStillDiffersAfterAFullPullCausesNoFurtherPull() {
        #expect(differences.note(["+body"]) == ["+body"])
        #expect(differences.note(["+body"]) == [])
        // The field is not reported again, even if other rows differ in this field or in further fields.
        #expect(differences.note([]) == [])
        #expect(differences.note(["+body", "+notes"]) == ["+notes"])
        #expect(differences.note(["+body"]) == [])
    }

    @Test mutating func aCorrectedFieldCausesAFullPullAtItsNextDifference() {
        for _ in 0..<3 {
            #expect(differences.note(["-body"]) == ["-body"])
            #expect(differences.note([]) == [])
        }
    }

    @Test mutating func aDifferingFieldCausesAFullPullAgainAfterManySyncs() {
        for _ in 0..<2 { _ = differences.note(["+body"]) }
        let pulls = (0..<60).filter { _ in !differences.note(["+body"]).isEmpty }
        #expect(pulls.count == 1)
    }

    @Test mutating func oneShortAnswerIsNotTakenForARowLimitOfTheServer() {
        limit.note(300, isShort: false)
        limit.note(10, isShort: true)
        #expect(limit.rows == nil)
    }

    @Test mutating func theLargestShortAnswerIsTakenForTheServersRowLimitForSomeTime() {
        limit.note(100, isShort: true)
        #expect(limit.rows == 100)
        for _ in 0..<98 { limit.note(100, isShort: false) }
        #expect(limit.rows == 100)
        for _ in 0..<2 { limit.note(100, isShort: false) }
        #expect(limit.rows == nil)
    }
}
