import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService
import SyncModel
import Testing

@testable import ParseRemote

/// Tests with answers of proxies, captive portals and failing servers. Each line of the fixture lists the expected result of a
/// read, of each kind of write, and of a batch.
@Suite struct OddAnswerTests {
    @Test(arguments: Recording.oddAnswers.map(\.name))
    func eachAnswerOfABrokenServerOrProxyIsClassified(name: String) async throws {
        let odd = try #require(Recording.oddAnswers.first { $0.name == name })
        let remote = ParseRemote.make(ScriptedTransport(answering: { _ in .success(odd.response) }))
        if let expected = odd.line["read"]?.string { #expect(await read(remote, classes: ["Holiday"]) == expected) }
        if let expected = odd.line["readBatch"]?.string {
            #expect(await read(remote, classes: ["Holiday", "Birthday"]) == expected)
        }
        for kind in [PushOperation.Kind.create, .update, .delete] {
            guard let expected = odd.line[kind.rawValue]?.string else { continue }
            #expect(await remote.push([.make(kind)]).map(\.word) == [expected], "\(kind)")
        }
        if let expected = odd.line["batch"]?.string {
            // Only the batch of writes gets the answer of the fixture. A batch of reads gets empty results.
            let remote = ParseRemote.make(
                ScriptedTransport(answering: { request in
                    let reads = String(decoding: request.body, as: UTF8.self).ranges(of: #""method":"GET""#).count
                    guard reads > 0 else { return .success(odd.response) }
                    return .success(.make(.array(Array(repeating: ["success": ["results": []]], count: reads))))
                }))
            let outcomes = await remote.push([.make(.update, "a"), .make(.update, "b")])
            #expect(outcomes.map(\.word) == [expected, expected])
        }
    }

    private func read(_ remote: ParseRemote, classes: [String]) async -> String {
        await word { () async throws(RemoteError) in
            _ = try await remote.pull(classes.map { PullRequest(className: $0, cursor: nil) })
        }
    }

    @Test func everyLineOfTheFixtureOfOddAnswersIsTested() { #expect(Recording.oddAnswers.count > 50) }

    @Test(arguments: [
        (HTTPTransportError.notSent(reason: "refused"), "unreachable", "retry"),
        (.outcomeUnknown(reason: "reset"), "interrupted", "unknown"),
    ])
    func transportErrorsAreClassified(error: HTTPTransportError, reading: String, writing: String) async {
        let remote = ParseRemote.make(ScriptedTransport(answering: { _ in .failure(error) }))
        #expect(await read(remote, classes: ["Holiday"]) == reading)
        #expect(await read(remote, classes: ["Holiday", "Birthday"]) == reading)
        #expect(await remote.push([.make(.create)]).map(\.word) == [writing])
        #expect(await remote.push([.make(.create), .make(.delete, "b")]).map(\.word) == [writing, writing])
    }

    /// An answer with too deep nesting or too many values is reported as `tooMuch`, so that the next request asks for
    /// less.
    @Test(arguments: [
        String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
        "[" + String(repeating: "0,", count: 5_000_000) + "0]",
    ])
    func anAnswerOverAParsingLimitIsReportedAsTooMuch(_ value: String) async {
        let text = #"{"results":[{"objectId":"a","deep":\#(value)}]}"#
        let remote = ParseRemote.make(
            ScriptedTransport(answering: { _ in
                .success(HTTPClientResponse(status: .ok, body: Array(text.utf8)))
            }))
        #expect(await read(remote, classes: ["Holiday"]) == "tooMuch")
        #expect(await remote.push([.make(.create)]).map(\.word) == ["unknown"])
    }

    @Test func oneFailedItemOfABatchFailsThePull() async {
        let transport = ScriptedTransport(
            .make([["success": ["results": []]], ["error": ["code": 119, "error": "no find"]]]))
        #expect(await read(.make(transport), classes: ["Holiday", "Birthday"]) == "refused 119")
    }

    private static let counts: [(item: JSONValue, expected: String)] = [
        (["error": ["code": 119, "error": "Permission denied for action count"]], "fine"),
        (["error": ["code": 101, "error": "Object not found."]], "fine"),
        (["error": ["code": 102, "error": "bad constraint"]], "refused 102"),
        (["error": ["code": "ECONNREFUSED"]], "faulty 200"),
        (["success": ["results": []]], "faulty 200"),
        (["success": ["results": [], "count": -1]], "faulty 200"),
    ]

    @Test(arguments: counts)
    func aForbiddenCountOfAClassIsReportedAsUnknown(item: JSONValue, expected: String) async {
        let remote = ParseRemote.make(ScriptedTransport(.make([["success": ["results": []]], item])))
        let result = await word { () async throws(RemoteError) in
            let pages = try await remote.pull([PullRequest(className: "Holiday", cursor: nil, wantsCount: true)])
            #expect(pages.map(\.count) == [nil])
        }
        #expect(result == expected)
    }

    @Test func readsOfARejectedBatchAreSentOneByOne() async throws {
        let transport = ScriptedTransport(answering: { request in
            request.url.hasSuffix("/batch")
                ? .success(.make(400, ["code": 107, "error": "cannot route batch path /parse/classes/Holiday"]))
                : .success(.make(["results": [], "count": 3]))
        })
        let pages = try await ParseRemote.make(transport)
            .pull([PullRequest(className: "Holiday", cursor: nil, wantsCount: true)])
        #expect(pages.map(\.count) == [3])
        #expect(await transport.sent.map(\.method) == [.post, .get, .get])
    }

    @Test func theSentIdReplacesAMissingIdInTheAnswerToACreate() async {
        let answer = HTTPClientResponse.make(201, ["createdAt": "2026-11-21T01:29:11.484Z", "n": 1])
        let outcomes = await ParseRemote.make(ScriptedTransport(answer))
            .push([.make(.create, "chosen0001", sendsObjectId: true)])
        let date = ParseDate(iso: "2026-11-21T01:29:11.484Z")
        let expected = Acknowledgement(objectId: "chosen0001", createdAt: date, updatedAt: date, echoed: ["n": 1])
        #expect(outcomes == [.applied(expected)])
    }

    @Test func errorsNeverContainKeys() async throws {
        let secret = "k3y-of-the-owner"
        let answer = HTTPClientResponse.make(400, ["code": 119, "error": .string("bad key \(secret)\n\(secret)")])
        let configuration = ParseRemote.Configuration(
            serverURL: "http://h", applicationId: "app", restKey: "rest-0123456789", masterKey: secret, replicaId: "r")
        let remote = ParseRemote(
            configuration: configuration, transport: ScriptedTransport(answering: { _ in .success(answer) }))
        do {
            _ = try await remote.pull([PullRequest(className: "Holiday", cursor: nil)])
            Issue.record("the answer is a refusal")
        } catch {
            #expect(error.text == "bad key ••• •••")
        }
        #expect(await remote.push([.make(.delete)]) == [.refused(code: 119, message: "bad key ••• •••")])
        var dumped = ""
        dump(remote.configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains(secret) && !text.contains("rest-0123456789") && text.contains("master key"))
        }
    }

    @Test func longErrorMessagesAreCut() async {
        let message = JSONValue.string(String(repeating: "x", count: 100_000))
        let remote = ParseRemote.make(ScriptedTransport(.make(400, ["code": 142, "error": message])))
        guard case .refused(_, let text) = await remote.push([.make(.update)])[0] else {
            Issue.record("not refused")
            return
        }
        #expect(text.count == 300)
    }
}
