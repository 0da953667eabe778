import HTTPClient
import HTTPTypes
import ParseModel
import RemoteService
import Testing

@testable import ParseRemote

@Suite struct PushRequestTests {
    private let silent = ScriptedTransport(answering: { _ in .failure(.outcomeUnknown(reason: "no answer")) })
    private let base = "http://127.0.0.1:1337/parse"

    private func sent(_ operations: [PushOperation]) async throws -> HTTPClientRequest {
        #expect(await ParseRemote.make(silent).push(operations).map(\.word) == operations.map { _ in "unknown" })
        let requests = await silent.sent
        try #require(requests.count == 1)
        return requests[0]
    }

    @Test func aPushWithoutOperationsSendsNoRequest() async {
        #expect(await ParseRemote.make(silent).push([]).isEmpty)
        #expect(await silent.sent.isEmpty)
    }

    @Test func createSendsValuesAndOperationsButNoDelete() async throws {
        let photo: JSONValue = ["__type": "File", "name": "abc_photo.jpg", "url": "http://x/abc_photo.jpg"]
        let request = try await sent([
            .make(
                .create, "local00001",
                [
                    "name": "Christmas", "gone": ["__op": "Delete"], "photo": photo,
                    "n": ["__op": "Increment", "amount": 2],
                ])
        ])
        #expect(request.method == .post && request.url == base + "/classes/Holiday" && !request.isRepeatable)
        let sent: JSONValue = ["__type": "File", "name": "abc_photo.jpg"]
        #expect(request.json == ["name": "Christmas", "photo": sent, "n": ["__op": "Increment", "amount": 2]])
        #expect(
            request.headerTexts == [
                "accept": "application/json", "content-type": "application/json", "x-parse-application-id": "app",
                "x-parse-rest-api-key": "rest", "x-parse-installation-id": "replica-1",
                "x-parse-request-id": "request-local00001",
            ])
    }

    /// A Parse Server generates the URL of a file in a field, and stores the sent URL of a file in a list.
    @Test func aFileInAListIsSentWithItsURLUntilTheServerRefusesIt() async throws {
        let photo: JSONValue = ["__type": "File", "name": "a.jpg", "url": "http://x/a.jpg"]
        let transport = ScriptedTransport(answering: { request in
            request.json?.object?["photos"]?.array?.first?.object?["url"] == nil
                ? .success(.make(["updatedAt": "2026-11-21T01:29:11.484Z"]))
                : .success(.make(400, ["code": 130, "error": "Permission denied"]))
        })
        let outcomes = await ParseRemote.make(transport).push([
            .make(.update, "a", ["photo": photo, "photos": [photo]])
        ])
        #expect(outcomes.map(\.word) == ["applied"])
        let bare: JSONValue = ["__type": "File", "name": "a.jpg"]
        #expect(
            await transport.sent.map(\.json) == [
                ["photo": bare, "photos": [photo]], ["photo": bare, "photos": [bare]],
            ])
        // A server with request deduplication refuses an id that it has received before.
        #expect(Set(await transport.sent.map { $0.headerTexts["x-parse-request-id"] }).count == 2)
    }

    @Test func aFileRefusalOfARequestWithoutFilesIsFinal() async {
        let transport = ScriptedTransport(answering: { _ in
            .success(.make(400, ["code": 130, "error": "Permission denied"]))
        })
        let outcomes = await ParseRemote.make(transport).push([.make(.update, "a", ["n": 1])])
        #expect(outcomes.map(\.word) == ["refused 130"])
        #expect(await transport.sent.count == 1)
    }

    @Test func aCreateSendsItsIdIfChosenIdsAreAllowed() async throws {
        let request = try await sent([.make(.create, "local00001", [:], sendsObjectId: true)])
        #expect(request.json == ["objectId": "local00001"])
    }

    @Test func anUpdateSendsItsOperationsUnchanged() async throws {
        let operations: JSONObject = [
            "a": ["__op": "Delete"], "b": ["__op": "AddUnique", "objects": [1, 2]], "c": ["x": [nil]],
        ]
        let request = try await sent([.make(.update, "abc", operations)])
        #expect(request.method == .put && request.url == base + "/classes/Holiday/abc" && !request.isRepeatable)
        #expect(request.json == .object(operations))
    }

    @Test func aDeletionHasNoBody() async throws {
        let request = try await sent([.make(.delete, "abc")])
        #expect(request.method == .delete && request.url == base + "/classes/Holiday/abc" && !request.isRepeatable)
        #expect(request.body.isEmpty && request.headerTexts["content-type"] == nil)
        #expect(request.headerTexts["x-parse-request-id"] == "request-abc")
    }

    @Test func aBatchRequestEqualsTheRecordedOne() async throws {
        let recording = try Recording.named("batch of three kinds")
        let request = try await sent([
            .make(.create, "local00001", ["name": "b1"], className: "Birthday"),
            .make(
                .update, "o04B7fViSq", ["name": "b2", "n": ["__op": "Increment", "amount": 1]], className: "Birthday"),
            .make(.delete, "6o65qDNfAR", className: "Birthday"),
        ])
        #expect(request.method == .post && request.url == base + "/batch" && !request.isRepeatable)
        #expect(request.json == recording.requestBody)
        // A server does not recognise a repeated batch by a request id, so a batch has none.
        #expect(request.headerTexts["x-parse-request-id"] == nil)
    }

    /// Answers the batches once all have arrived, the last one first.
    private actor Gathering: HTTPTransport {
        private let count: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(count: Int) { self.count = count }

        func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
            await withCheckedContinuation { (arrived: CheckedContinuation<Void, Never>) in
                waiting.append(arrived)
                if waiting.count == count { waiting.popLast()?.resume() }
            }
            defer { waiting.popLast()?.resume() }
            let items = request.json?.object?["requests"]?.array ?? []
            return .make(
                .array(
                    items.map { item in
                        let name = item.object?["body"]?.object?["name"]?.string ?? ""
                        let date: JSONValue = "2026-11-21T01:29:11.000Z"
                        return ["success": ["objectId": .string("id-" + name), "createdAt": date]]
                    }))
        }
    }

    @Test(.timeLimit(.minutes(5))) func severalBatchesAreSentConcurrently() async {
        let names = (0..<6).map { "n\($0)" }
        let operations = names.map { PushOperation.make(.create, "local-\($0)", ["name": .string($0)]) }
        let outcomes = await ParseRemote.make(Gathering(count: 3), batchMax: 2).push(operations)
        let ids = outcomes.map { outcome in
            if case .applied(let acknowledgement) = outcome { acknowledgement.objectId } else { nil as String? }
        }
        #expect(ids == names.map { "id-" + $0 })
    }

    @Test func operationsOverTheBatchLimitAreSplit() async {
        let operations = (0..<5).map { PushOperation.make(.delete, "id\($0)") }
        let outcomes = await ParseRemote.make(silent, batchMax: 2).push(operations)
        #expect(outcomes.count == 5)
        // The batches are on their way at the same time.
        #expect(await silent.sent.map(\.method.rawValue).sorted() == ["DELETE", "POST", "POST"])
    }
}
