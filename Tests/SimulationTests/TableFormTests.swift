import ParseModel
import TablesServer
import Testing

@testable import Simulation

@Suite("Forms of requests to tables")
struct TableFormTests {
    private static func isKnown(
        _ line: String, _ dialect: TablesServer.Dialect = .azure, body: JSONObject? = nil, condition: String? = nil,
        status: Int = 200
    ) -> Bool {
        let words = line.split(separator: " ").map(String.init)
        let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        let request = TablesRequest(
            method: words[0], path: target[0], query: target.count > 1 ? target[1] : nil,
            headers: ["content-type": "application/json"].merging(condition.map { ["if-match": $0] } ?? [:]) { $1 },
            body: body?.jsonBytes ?? [])
        return TableForms(dialect: dialect).unknownPart(of: request, answeredWith: status) == nil
    }

    private static func isKnown(filter: String, _ dialect: TablesServer.Dialect = .azure) -> Bool {
        isKnown("GET /tables/Note?$filter=\(PercentCoding.encoded(filter))", dialect)
    }

    @Test(arguments: [
        "n eq 3", "n gt -3", "title eq 'it''s'", "b eq null", "n ne null", "true",
        "(n lt 3 or (n eq 3 and id gt 'a'))", "updatedAt ge datetimeoffset'1970-01-01T00:00:00.001Z'",
    ])
    func filtersInTheUsedFormAreAccepted(_ filter: String) { #expect(Self.isKnown(filter: filter)) }

    @Test(arguments: [
        "startswith(title,'i')", "null eq b", "b gt null", "n eq", "(n eq 3", "n EQ 3", "title eq 'it's'",
        "not (n eq 3)", "n eq n", "n add 1 eq 3", "n eq -'3'", "title",
    ])
    func filtersInOtherFormsAreReported(_ filter: String) { #expect(!Self.isKnown(filter: filter)) }

    @Test func filtersNeedDatesInTheFormOfTheirDialect() {
        #expect(Self.isKnown(filter: "updatedAt lt cast(1970-01-01T00:00:00.002Z,Edm.DateTimeOffset)", .community))
        #expect(!Self.isKnown(filter: "updatedAt lt datetimeoffset'1970-01-01T00:00:00.002Z'", .community))
    }

    @Test(arguments: [
        "GET /", "GET /swagger", "GET /tables/Note/x?__includeDeleted=true", "DELETE /tables/Place/x",
        "GET /tables/Note?$orderby=updatedAt%2Cid&$select=id%2Ca&$top=1&$inlinecount=allpages", "POST /tables/Note/x",
    ])
    func requestsInTheUsedFormAreAccepted(_ line: String) { #expect(Self.isKnown(line)) }

    @Test(arguments: [
        "POST /", "GET /tables", "GET /tables/Other", "GET /tables/Note/x/y", "GET /tables/Note/",
        "DELETE /tables/Note", "PUT /tables/Note/x", "GET /tables/Note?$orderby=title", "GET /tables/Note?$top=-1",
        "GET /tables/Note?x=1", "GET /tables/Note?$count=true", "GET /tables/Note?$top=1&$top=2", "POST /tables/Note",
    ])
    func requestsInOtherFormsAreReported(_ line: String) { #expect(!Self.isKnown(line)) }

    @Test func onlyExpectedRequestBodiesAreAccepted() {
        #expect(Self.isKnown("POST /tables/Note", body: ["id": "x", "a": "1"]))
        #expect(!Self.isKnown("POST /tables/Note", body: ["id": "x", "a": "1"], condition: "\"1\""))
        #expect(!Self.isKnown("POST /tables/Note", body: ["a": "1"]))
        #expect(!Self.isKnown("POST /tables/Note", body: ["id": "x", "a": ["1"]]))
        #expect(!Self.isKnown("POST /tables/Note", body: ["id": "x", "other": 1]))
        #expect(Self.isKnown("PATCH /tables/Note/x", body: ["a": "1"], condition: "\"1\""))
        #expect(!Self.isKnown("PATCH /tables/Note/x", body: ["a": "1"], condition: "1"))
        #expect(!Self.isKnown("PATCH /tables/Note/x", body: ["id": "x", "a": "1"]))
        #expect(!Self.isKnown("PATCH /tables/Note/x", body: ["a": "1"], status: 500))
        #expect(Self.isKnown("PUT /tables/Note/x", .community, body: ["id": "x", "deleted": false]))
        #expect(!Self.isKnown("PUT /tables/Note/x", .community, body: ["id": "x", "deleted": true]))
    }
}
