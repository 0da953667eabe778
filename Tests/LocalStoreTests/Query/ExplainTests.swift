import LocalStore
import ParseModel
import StoreSupport
import Testing

@Suite("Explanation of queries")
struct ExplainTests {
    @Test func explainReturnsStatementsAndTheirPlans() throws {
        let store = try LocalStore.make()
        let selected: JSONValue = ["$select": ["query": ["className": "Country"], "key": "code"]]
        let countries: JSONValue = ["className": "Country", "where": ["n": 1]]
        let query = try ParseQuery(parameters: [
            "where": ["code": selected, "link": ["$inQuery": countries]],
            "order": "createdAt",
        ])
        let statements = try store.explain("City", query)
        #expect(statements.count == 2)
        #expect(statements.allSatisfy { $0.sql.contains("SELECT id, view, state, base_standing, pk, ") })
        #expect(statements[1].sql.hasPrefix("WITH inner_1 AS (SELECT id FROM objects"))
        let inner = try store.explain("City", ParseQuery(parameters: ["where": ["link": ["$inQuery": countries]]]))
        #expect(inner.map(\.plan.count)[0] > 3)
        #expect(inner[0].plan.contains { $0.hasPrefix("  ") }, "\(inner[0].plan)")
        let byTime = try store.explain("City", ParseQuery(parameters: ["where": ["createdAt": ["$gt": "2020-01-01"]]]))
        #expect(byTime[0].plan.contains { $0.contains("objects_by_creation") }, "\(byTime[0].plan)")
    }

    @Test func explainRefusesAnInvalidQuery() throws {
        let store = try LocalStore.make()
        #expect(throws: ParseError.self) {
            try store.explain("City", ParseQuery(parameters: ["where": ["v": ["$regex": "("]]]))
        }
    }
}
