import GRDB
import Testing

@testable import LocalStore

@Suite("Figures")
struct FiguresTests {
    /// An object may be large, and they may be many.
    @Test func objectsAreNotReadToCountThem() throws {
        let store = try LocalStore.make(.replica)
        let plan = try store.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + LocalStore.classFigures).map { $0["detail"] as String }
        }
        let steps = plan.filter { $0.contains("objects") }
        #expect(steps.count == 2)
        #expect(steps.allSatisfy { $0.contains("COVERING INDEX") || $0.contains("INDEX objects_deleted") })
    }
}
