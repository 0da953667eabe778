import RemoteService
import StoreService
import Testing

@testable import SyncEngine

@Suite("Open differences")
struct OpenDifferenceTests {
    private let difference = OpenDifference(pull: .all, here: 10, there: 4)

    @Test func sameDifferenceIsSearchedForEverMoreRarely() {
        var known: OpenDifference?
        var searches: [Int] = []
        for sync in 1...100 {
            let met = difference.following(known)
            if met.isDue { searches.append(sync) }
            known = met
        }
        #expect(searches == [1, 2, 4, 8, 16, 32, 64])
    }

    @Test(arguments: [
        OpenDifference(pull: .all, here: 11, there: 4), OpenDifference(pull: .all, here: 10, there: 5),
        OpenDifference(pull: .all, here: 10, there: nil),
        OpenDifference(pull: NamedPull(name: "all", conditions: ["n": 1]), here: 10, there: 4),
    ])
    func anotherOneIsAnotherMatter(other: OpenDifference) {
        let known = difference.following(difference.following(difference))
        #expect(!known.isDue)
        #expect(other.following(known).isDue)
        #expect(other.following(known) == other)
    }
}
