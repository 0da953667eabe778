import ParseModel
import Testing

@testable import LocalStore

/// Tests the memory of earlier states of recently changed objects.
@Suite("Past states of objects")
struct PastStatesTests {
    private static let time = "2026-01-01T00:00:00.000Z"

    private func note(_ objectId: String, _ n: Int, at time: String = Self.time, in past: PastStates) {
        past.note(
            "Holiday", objectId, #"{"objectId":"\#(objectId)","createdAt":"\#(time)","updatedAt":"\#(time)","n":\#(n)}"#
        )
    }

    private func found(_ objectId: String, at time: String = Self.time, in past: PastStates) throws -> [JSONValue?] {
        let date = try #require(ParseDate(iso: time))
        return past.states("Holiday", objectId, updatedAt: date).map { $0.fields["n"] }
    }

    @Test func aPastStateOfAnObjectIsFoundByItsUpdateTime() throws {
        let past = PastStates()
        note("a", 1, in: past)
        note("a", 2, in: past)
        note("a", 3, at: "2026-01-02T00:00:00.000Z", in: past)
        note("b", 4, in: past)
        #expect(try found("a", in: past) == [1, 2])
        #expect(try found("a", at: "2026-01-02T00:00:00.000Z", in: past) == [3])
        #expect(try found("a", at: "2026-01-03T00:00:00.000Z", in: past) == [])
    }

    @Test func theNumberOfPastObjectStatesIsBounded() throws {
        let past = PastStates(countMax: 3)
        for n in 0..<100 { note(n.isMultiple(of: 2) ? "a" : "b", n, in: past) }
        #expect(try found("a", in: past) == [98])
        #expect(try found("b", in: past) == [97, 99])
    }

    @Test func theSizeOfPastObjectStatesIsBounded() throws {
        let past = PastStates(bytesMax: 250)
        for n in 10..<90 { note("a", n, in: past) }
        #expect(try found("a", in: past) == [88, 89])
    }
}
