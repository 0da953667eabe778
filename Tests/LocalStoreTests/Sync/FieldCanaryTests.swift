import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// The rows that a watch reads as a whole, to find fields that the remote has ceased to show.
@Suite("Choice of rows for the watch")
struct FieldCanaryTests {
    /// A replica with rows of equal fields. Row `rare` in the middle, by time and by id, has another one.
    private func store(_ count: Int, rare: Int) async throws -> LocalStore {
        let store = try LocalStore.make(.replica)
        let records = (0..<count).map { number in
            RemoteRecord.make(
                Self.id(number), number == rare ? ["n": 1, "bonus": 5] : ["n": 1], updatedMs: Int64(number) * 1000)
        }
        try await store.pull(records)
        return store
    }

    private static func id(_ number: Int) -> String { "row\(100_000 + number)" }

    @Test func rareFieldIsFoundInTurnAndStays() async throws {
        let store = try await store(5_000, rare: 2_500)
        var place = CanaryPlace()
        var found: [Bool] = []
        for _ in 0..<8 {
            place = try await store.sync.fieldCanaries(of: "Holiday", after: place, max: 3)
            #expect(place.chosen.count == 3)
            found.append(place.chosen.contains(Self.id(2_500)))
        }
        #expect(found == [false] + Array(repeating: true, count: 7))
    }

    @Test func choiceGoesOnAfterTheRowIsGone() async throws {
        let store = try await store(500, rare: 250)
        let first = try await store.sync.fieldCanaries(of: "Holiday", after: CanaryPlace(), max: 3)
        #expect(first.chosen.contains(Self.id(250)))
        try await store.pull([], gone: [Self.id(250)])
        let second = try await store.sync.fieldCanaries(of: "Holiday", after: first, max: 3)
        #expect(second.chosen.count == 3 && !second.chosen.contains(Self.id(250)))
    }
}
