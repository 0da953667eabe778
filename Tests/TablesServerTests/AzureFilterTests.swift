import ParseModel
import TablesServer
import Testing

/// Filters in the Azure dialect that the recording lacks (measured on the Node server 3.0.1).
@Suite(.timeLimit(.minutes(5)))
struct AzureFilterTests {
    @Test(arguments: [(80, 200), (90, 500)])
    func aFilterWithTooDeeplyChainedConditionsIsRefused(count: Int, status: Int) async throws {
        let filter = (0..<count).map { "id%20eq%20'r\($0)'" }.joined(separator: "%20or%20")
        #expect(try await answer(to: filter).status == status)
    }

    @Test func aFilterWithManyConditionsInBalancedPairsIsAnswered() async throws {
        var parts = (0..<256).map { "id%20eq%20'r\($0)'" }
        while parts.count > 1 {
            parts = stride(from: 0, to: parts.count, by: 2).map { "(\(parts[$0])%20or%20\(parts[$0 + 1]))" }
        }
        #expect(try await answer(to: parts[0]).ids == ["r1"])
    }

    @Test(arguments: [
        ("rank%20ne%201", 200, []), ("not%20(rank%20eq%201)", 200, []), ("startswith(name,'x')", 200, []),
        ("rank%20mod%202%20eq%200", 500, []), ("hour(date)%20eq%200", 500, []), ("name%20eq%20null", 200, ["r1"]),
    ])
    func filtersOnDeclaredColumnsAnswerLikeTheNodeServer(filter: String, status: Int, ids: [String]) async throws {
        let reply = try await answer(to: filter)
        #expect(reply.status == status)
        #expect(reply.ids == ids)
    }

    /// The response of a table with one row, whose columns are null.
    private func answer(to filter: String) async throws -> TablesReply {
        let server = try TablesServer.make(.azure)
        server.put("Holiday", "r1", [:])
        return try await TablesClient(server).send("GET /tables/Holiday?$filter=\(filter)")
    }
}
