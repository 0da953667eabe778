import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService
import SyncModel
import Testing

@testable import ParseRemote

@Suite struct RequestBuildingTests {
    private let empty = ScriptedTransport(answering: { _ in .success(.make(["results": []])) })

    @Test func theFirstPageIsRequestedWithoutConditionAndWithEveryHeader() async throws {
        let remote = ParseRemote.make(empty, masterKey: "master")
        _ = try await remote.pull([PullRequest(className: "Holiday", cursor: nil)])
        let request = try #require(await empty.sent.first)
        #expect(request.method == .get)
        #expect(request.path == "http://127.0.0.1:1337/parse/classes/Holiday")
        #expect(request.query == ["order": "updatedAt,objectId", "limit": "1000"])
        #expect(request.isRepeatable)
        #expect(request.body.isEmpty)
        #expect(
            request.headerTexts == [
                "accept": "application/json", "cache-control": "no-cache", "x-parse-application-id": "app",
                "x-parse-rest-api-key": "rest", "x-parse-master-key": "master",
                "x-parse-installation-id": "replica-1",
            ])
    }

    @Test func aLaterPageContinuesAfterTheLastTimeAndId() async throws {
        let cursor = KeysetPosition.after(ParseDate(milliseconds: 1_795_224_551_484), objectId: "xqMK7l1wCE").cursor
        _ = try await ParseRemote.make(empty).pull([PullRequest(className: "Holiday", cursor: cursor)])
        let request = try #require(await empty.sent.first)
        let date: JSONValue = ["__type": "Date", "iso": "2026-11-21T01:29:11.484Z"]
        #expect(
            request.query["where"] == [
                "updatedAt": ["$gte": date],
                "$or": [
                    ["updatedAt": ["$gt": date]], ["updatedAt": date, "objectId": ["$gt": "xqMK7l1wCE"]],
                ],
            ])
        #expect(!request.url.contains(where: { "{}\"$: ".contains($0) && $0 != ":" }))
    }

    @Test func aPullStartsAtTheEarlierOfCursorAndLookBackTime() async throws {
        let remote = ParseRemote.make(empty)
        let time = ParseDate(milliseconds: 1_795_224_551_484)
        let cursor = KeysetPosition.after(time, objectId: "a").cursor
        for lookBack in [time - .seconds(1), time, time + .seconds(1)] {
            _ = try await remote.pull([PullRequest(className: "Holiday", cursor: cursor, lookBackTo: lookBack)])
        }
        let conditions = await empty.sent.map { $0.query["where"]?.object ?? [:] }
        #expect(conditions[0] == ["updatedAt": ["$gte": ["__type": "Date", "iso": "2026-11-21T01:29:10.484Z"]]])
        #expect(conditions[1] == ["updatedAt": ["$gte": ["__type": "Date", "iso": "2026-11-21T01:29:11.484Z"]]])
        #expect(conditions[2].keys == ["updatedAt", "$or"])
    }

    @Test(arguments: [
        ("http://127.0.0.1:1337/parse", "http://127.0.0.1:1337/parse/batch", "/parse/classes/Holiday"),
        ("http://127.0.0.1:1337/parse/", "http://127.0.0.1:1337/parse/batch", "/parse/classes/Holiday"),
        ("https://example.org", "https://example.org/batch", "/classes/Holiday"),
        ("https://example.org/a/b?x#y", "https://example.org/a/b/batch", "/a/b/classes/Holiday"),
    ])
    func batchPathsIncludeTheMountPath(serverURL: String, url: String, path: String) async throws {
        let transport = ScriptedTransport(
            .make([["success": ["results": []]], ["success": ["results": [], "count": 7]]]))
        let pages = try await ParseRemote.make(transport, serverURL: serverURL)
            .pull([PullRequest(className: "Holiday", cursor: nil, wantsCount: true)])
        let request = try #require(await transport.sent.first)
        #expect(pages.map(\.count) == [7])
        #expect(request.method == .post && request.url == url && request.isRepeatable)
        #expect(request.headerTexts["content-type"] == "application/json")
        #expect(
            request.json == [
                "requests": [
                    [
                        "method": "GET", "path": .string(path),
                        "body": ["order": "updatedAt,objectId", "limit": 1000],
                    ],
                    [
                        "method": "GET", "path": .string(path),
                        "body": ["where": ["objectId": ["$exists": true]], "limit": 0, "count": 1],
                    ],
                ]
            ])
    }

    @Test func queriesOverTheBatchLimitAreSplit() async throws {
        let transport = ScriptedTransport(answering: { request in
            let items = request.json?.object?["requests"]?.array?.count ?? 0
            let answers = Array(repeating: ["success": ["results": []]] as JSONValue, count: items)
            return .success(.make(items == 0 ? ["results": []] : .array(answers)))
        })
        let pulls = (1...7).map { PullRequest(className: "C\($0)", cursor: nil) }
        let pages = try await ParseRemote.make(transport, batchMax: 3).pull(pulls)
        #expect(pages.count == 7)
        #expect(await transport.sent.map(\.method) == [.post, .post, .get])
    }

    @Test func aLongQueryIsSentInTheBody() async throws {
        let ids = (0..<100).map { "an objectId of a hundred letters, which a server may allow to be chosen \($0)" }
        #expect(try await ParseRemote.make(empty).fetch("Holiday", objectIds: ids).isEmpty)
        let request = try #require(await empty.sent.first)
        #expect(request.method == .post && request.isRepeatable)
        #expect(request.url == "http://127.0.0.1:1337/parse/classes/Holiday")
        #expect(
            request.json == [
                "where": ["objectId": ["$in": .array(ids.map { .string($0) })]], "limit": 100, "_method": "GET",
            ])
    }

    @Test func thePageOfIdsContinuesAfterTheLastId() async throws {
        let remote = ParseRemote.make(empty, pageSize: 10)
        for last in [nil, "", "abc"] {
            #expect(try await remote.objectIds(of: PullQuery(className: "Holiday"), created: .all, after: last).isLast)
        }
        let queries = await empty.sent.map(\.query)
        let first: JSONObject = ["order": "objectId", "keys": "objectId", "limit": "10"]
        #expect(queries[0] == first && queries[1] == first)
        #expect(queries[2]["where"] == ["objectId": ["$gt": "abc"]])
    }

    @Test func specialCharactersInIdsAreEncoded() async {
        let transport = ScriptedTransport(answering: { _ in .success(.make([:])) })
        for id in ["a/b ü?", "..", "plain-1_~."] { _ = await ParseRemote.make(transport).push([.make(.delete, id)]) }
        let base = "http://127.0.0.1:1337/parse/classes/Holiday/"
        #expect(await transport.sent.map(\.url) == ["a%2Fb%20%C3%BC%3F", "%2E%2E", "plain-1_~."].map { base + $0 })
    }

    @Test func anApplicationKeyCannotInjectAHeader() async throws {
        let configuration = ParseRemote.Configuration(
            serverURL: "http://h", applicationId: "app", restKey: "a\r\nX-Evil: 1", replicaId: "r")
        _ = try await ParseRemote(configuration: configuration, transport: empty)
            .pull([PullRequest(className: "A", cursor: nil)])
        let headers = try #require(await empty.sent.first).headers
        #expect(headers.allSatisfy { !$0.value.contains(where: \.isNewline) })
    }
}
