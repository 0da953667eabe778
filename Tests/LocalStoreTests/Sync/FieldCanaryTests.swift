import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Tests which rows a sync reads again with all fields, to find fields that the remote no longer shows.
@Suite("Rows that a sync reads again to detect hidden fields")
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

    @Test func aRowWithARareFieldIsFoundBySamplingAndThenKept() async throws {
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

    @Test func samplingOfRowsContinuesAfterTheDeletionOfASampledRow() async throws {
        let store = try await store(500, rare: 250)
        let first = try await store.sync.fieldCanaries(of: "Holiday", after: CanaryPlace(), max: 3)
        #expect(first.chosen.contains(Self.id(250)))
        try await store.pull([], gone: [Self.id(250)])
        let second = try await store.sync.fieldCanaries(of: "Holiday", after: first, max: 3)
        #expect(second.chosen.count == 3 && !second.chosen.contains(Self.id(250)))
    }

    /// Permissions can protect a field in the rows that do not point to the user (`userField:`), and in those alone.
    @Test func theChosenRowsIncludeOnesThatPointToTheUserAndOnesThatDoNot() async throws {
        let store = try LocalStore.make(.replica) { $0.settings.reader = "me" }
        let pointer = { (id: String) in Pointer(className: "_User", objectId: id).json }
        let all = [("m1", "me"), ("m2", "me"), ("m3", "me"), ("o1", "other")]
        try await store.pull(
            all.enumerated().map { number, row in
                .make(row.0, ["bonus": 5, "owner": pointer(row.1)], updatedMs: Int64(number) * 1000)
            })
        let place = try await store.sync.fieldCanaries(of: "Holiday", after: CanaryPlace(), max: 2)
        #expect(place.chosen.contains("o1") && place.chosen.contains { $0.hasPrefix("m") }, "\(place)")
    }

    /// Each row has a field of its own, so more rows than the usual number are chosen.
    @Test func theChosenRowsTogetherHaveAllFieldsOfTheClass() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull((0..<10).map { .make(Self.id($0), ["field\($0)": 1], updatedMs: Int64($0) * 1000) })
        let place = try await store.sync.fieldCanaries(of: "Holiday", after: CanaryPlace(), max: 3)
        #expect(place.chosen == (0..<10).map(Self.id))
    }
}
