import HTTPClient
import HTTPTypes
import TablesServer
import Testing

/// Replays the recorded exchanges against the Azure dialect over HTTP. Statuses, bodies, content types and the
/// entity tags of rows must agree.
@Suite(.timeLimit(.minutes(5)))
struct ReplayTests {
    @Test func theTablesServerAnswersRecordedRequestsLikeTheNodeServer() async throws {
        let recording = try RecordedExchange.all()
        #expect(recording.count == 397)
        let tables = try RecordedTables()
        defer { tables.server.close() }
        let client = CurlTransport()
        defer { client.close() }
        var differing: [String: String] = [:]
        for exchange in recording {
            tables.prepare(for: exchange, in: recording)
            let method = try #require(HTTPRequest.Method(exchange.method))
            let response = try await client.send(
                HTTPClientRequest(
                    method: method, url: tables.server.url + exchange.target, headers: exchange.headers,
                    body: exchange.requestBody, isRepeatable: true))
            differing[exchange.name] = exchange.difference(from: response)
        }
        let unexpected = differing.filter { KnownDifferences.reasons[$0.key] == nil }
        for (name, difference) in unexpected { Issue.record("\(name): \(difference)") }
        for name in KnownDifferences.reasons.keys.sorted() {
            #expect(differing[name] != nil, "\(name) agrees, and does not belong on the list")
        }
    }
}
