import RemoteService
import StoreService
import Testing

@testable import SyncEngine

@Suite("Count mismatches")
struct CountMismatchTests {
    private let difference = CountMismatch(pull: .all, here: 10, there: 4)

    @Test func theSearchForAnUnchangedCountMismatchIsRepeatedLessAndLessOften() {
        var known: CountMismatch?
        var searches: [Int] = []
        for sync in 1...100 {
            let met = difference.following(known)
            if met.isDue { searches.append(sync) }
            known = met
        }
        #expect(searches == [1, 2, 4, 8, 16, 32, 64])
    }

    @Test(arguments: [
        CountMismatch(pull: .all, here: 11, there: 4), CountMismatch(pull: .all, here: 10, there: 5),
        CountMismatch(pull: .all, here: 10, there: nil),
        CountMismatch(pull: NamedPull(name: "all", conditions: ["n": 1]), here: 10, there: 4),
    ])
    func theSearchForADifferentCountMismatchStartsAtOnce(other: CountMismatch) {
        let known = difference.following(difference.following(difference))
        #expect(!known.isDue)
        #expect(other.following(known).isDue)
        #expect(other.following(known) == other)
    }
}
