import RemoteService
import Testing

@testable import SyncEngine

@Suite("Open differences")
struct OpenDifferenceTests {
    private let difference = OpenDifference(pull: .all, here: 10, there: 4)

    @Test func sameDifferenceIsSearchedForTwice() {
        #expect(difference.isWorthSearching(after: nil))
        let once = difference.searched(after: nil)
        #expect(difference.isWorthSearching(after: once))
        let twice = difference.searched(after: once)
        #expect(!difference.isWorthSearching(after: twice))
    }

    @Test(arguments: [
        OpenDifference(pull: .all, here: 11, there: 4), OpenDifference(pull: .all, here: 10, there: 5),
        OpenDifference(pull: .all, here: 10, there: nil),
        OpenDifference(pull: NamedPull(name: "all", conditions: ["n": 1]), here: 10, there: 4),
    ])
    func anotherOneIsAnotherMatter(other: OpenDifference) {
        let known = difference.searched(after: difference.searched(after: nil))
        #expect(other.isWorthSearching(after: known))
        #expect(other.searched(after: known) == other.searched(after: nil))
    }
}
