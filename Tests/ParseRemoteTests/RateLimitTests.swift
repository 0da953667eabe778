import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService
import Synchronization
import Testing

@testable import ParseRemote

/// A server that refuses requests for a rate limit has executed nothing, so they are sent again after a short wait.
@Suite struct RateLimitTests {
    private let waits = Waits()

    /// Records the waits instead of waiting.
    private final class Waits: Sendable {
        private let list = Mutex<[Duration]>([])
        var all: [Duration] { list.withLock { $0 } }
        func note(_ wait: Duration) { list.withLock { $0.append(wait) } }
    }

    private func remote(_ answers: [HTTPClientResponse]) -> ParseRemote {
        ParseRemote(
            configuration: .init(
                serverURL: "http://h", applicationId: "app", replicaId: "r", wait: { [waits] in waits.note($0) }),
            transport: ScriptedTransport(answers.map { .success($0) }))
    }

    private static func tooMany(_ seconds: Int? = nil) -> HTTPClientResponse {
        var headers = HTTPFields()
        if let seconds { headers[.retryAfter] = String(seconds) }
        return .make(429, ["code": 429, "error": "Permission denied"], headers: headers)
    }

    private static let acknowledged = HTTPClientResponse.make(["updatedAt": "2026-11-21T01:29:11.484Z"])

    @Test func theWaitAfterARateLimitIsTheOneThatTheServerNames() async {
        let outcomes = await remote([Self.tooMany(7), Self.tooMany(), Self.acknowledged]).push([.make(.update)])
        #expect(outcomes.map(\.word) == ["applied"])
        #expect(waits.all == [.seconds(7), .seconds(2)])
    }

    @Test func readsOverARateLimitAreRepeatedAfterAWait() async throws {
        let pages = try await remote([Self.tooMany(), .make(["results": [], "count": 0])])
            .pull([PullRequest(className: "Holiday", cursor: nil)])
        #expect(pages.count == 1)
        #expect(waits.all == [.seconds(1)])
    }

    /// A long wait ends the sync. The next sync begins at the time that the server names.
    @Test func aLongWaitForARateLimitEndsTheSync() async {
        let outcomes = await remote([Self.tooMany(60)]).push([.make(.update)])
        #expect(outcomes == [.retry(after: .seconds(60), reason: "Permission denied")])
        #expect(waits.all.isEmpty)
    }

    @Test func theFourthRateLimitRefusalEndsTheSync() async {
        let answers = Array(repeating: Self.tooMany(), count: 5)
        #expect(await remote(answers).push([.make(.update)]).map(\.word) == ["retry"])
        #expect(waits.all == [.seconds(1), .seconds(2), .seconds(4)])
    }

    /// A Parse Server refuses the whole batch with code 100 if one of its items is over a limit.
    @Test func code100OfAWholeBatchIsARateLimit() async {
        let refusal = HTTPClientResponse.make(400, ["code": 100, "error": "Permission denied"])
        let items: JSONValue = [
            ["success": ["updatedAt": "2026-11-21T01:29:11.484Z"]],
            ["success": ["updatedAt": "2026-11-21T01:29:11.484Z"]],
        ]
        let outcomes = await remote([refusal, .make(items)]).push([.make(.update, "a"), .make(.update, "b")])
        #expect(outcomes.map(\.word) == ["applied", "applied"])
        #expect(waits.all == [.seconds(1)])
    }

    /// Outside of a batch, code 100 says that the server has lost its database. The server may have executed the request.
    @Test func code100OfASingleRequestIsNoRateLimit() async {
        let refusal = HTTPClientResponse.make(400, ["code": 100, "error": "Permission denied"])
        #expect(await remote([refusal]).push([.make(.update)]).map(\.word) == ["unknown"])
        #expect(waits.all.isEmpty)
    }

    @Test func aBatchItemOverARateLimitIsSentLater() async {
        let items: JSONValue = [
            ["error": ["code": 155, "error": "Permission denied"]],
            ["error": ["code": 429, "error": "Permission denied"]],
        ]
        let outcomes = await remote([.make(items)]).push([.make(.update, "a"), .make(.update, "b")])
        #expect(outcomes.map(\.word) == ["retry", "retry"])
    }
}
