import GRDB
import Testing

@testable import LocalStore

@Suite("Sync figures")
struct FiguresTests {
    /// There may be many and large objects, so counting must not read them.
    @Test func syncFiguresAreCountedWithoutReadingObjects() throws {
        let store = try LocalStore.make(.replica)
        let plan = try store.transactions.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + StatusFigures.classes).map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH class_counts") })
        #expect(!plan.contains { $0.contains("objects") })
    }

    /// Each sync counts the objects of held-back removals, and usually there are none.
    @Test func objectsOfAHeldBackRemovalAreLookedUpByIdForSyncFigures() throws {
        let store = try LocalStore.make(.replica)
        let plan = try store.transactions.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + RemovalTable.heldIds, arguments: ["Holiday"])
                .map { $0["detail"] as String }
        }
        let objects = plan.filter { $0.contains(" o USING") || $0.hasPrefix("SCAN o") }
        #expect(objects.count == 2)
        #expect(objects.allSatisfy { $0.contains("class=? AND id=?") })
    }
}
