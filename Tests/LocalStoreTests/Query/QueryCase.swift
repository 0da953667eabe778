import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

/// A query condition, and the ids of the objects of `QueryRows` that match it.
struct QueryCase: Sendable {
    let predicate: String
    let found: Set<String>

    init(_ predicate: String, _ found: String...) {
        self.predicate = predicate
        self.found = Set(found)
    }

    /// Expects all objects except these.
    init(_ predicate: String, without others: String...) {
        self.predicate = predicate
        found = Set(QueryRows.ids).subtracting(others)
    }
}

/// Cases that share a store.
struct QueryCases: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cases: [QueryCase]

    /// - Parameter store: a store with the objects of `QueryRows`.
    func check(_ store: LocalStore) throws {
        for item in cases {
            do {
                let found = try store.find(
                    "Row", ParseQuery(parameters: ["where": .string(item.predicate), "count": 1]))
                #expect(found.objects.map(\.objectId).sorted() == item.found.sorted(), "\(item.predicate)")
                #expect(found.count == item.found.count, "\(item.predicate)")
            } catch {
                Issue.record(error, "\(item.predicate)")
            }
        }
    }
}
