import GatewayAPI
import HTTPTypes
import ParseModel
import Testing

/// Tests batches whose items are forwarded to the remote.
@Suite struct ForwardedItemsTests {
    private func gateway(_ remote: FakeRemote) -> Gateway {
        Gateway.make(sync: FakeSync(), remote: remote) { $0.keys = .init(masterKey: "own") }
    }

    private func batch(_ items: String, transaction: Bool = false) -> String {
        #"{"transaction":\#(transaction),"requests":[\#(items)]}"#
    }

    private static let function = #"{"method":"POST","path":"/parse/functions/f?x=1","body":{"a":1}}"#
    private static let create = #"{"method":"POST","path":"/classes/Holiday","body":{}}"#

    @Test func batchItemsAreAnsweredByTheRemoteOrTheLocalStore() async throws {
        let remote = FakeRemote(body: #"{"result":1}"#)
        let answer = await gateway(remote).send(
            "POST /batch", ["X-Parse-Master-Key": "theirs", "X-Parse-Installation-Id": "i"],
            body: batch("\(Self.function),\(Self.create)"))
        let items = try #require(try answer.json.array)
        #expect(items.first == ["success": ["result": 1]])
        #expect(items.last?.object?["success"]?.object?["objectId"] == "new1")
        let call = try #require(remote.calls.first)
        #expect(remote.calls.count == 1 && call.method == .post && call.target == "/functions/f?x=1")
        #expect(String(decoding: call.body, as: UTF8.self) == #"{"a":1}"#)
        #expect(call.masterKey == "theirs" && call.headers[HTTPField.Name("X-Parse-Installation-Id")!] == "i")
    }

    @Test func forwardedReadsInABatchTakeParametersFromBodyAndPath() async throws {
        let remote = FakeRemote(body: "[]")
        let item = #"{"method":"GET","path":"/users?limit=1","body":{"where":{"n":1}}}"#
        expect(await gateway(remote).send("POST /batch", body: batch(item)), 200, #"[{"success":[]}]"#)
        let call = try #require(remote.calls.first)
        #expect(try JSONReader.read(call.body) == ["where": ["n": 1], "limit": 1, "_method": "GET"])
    }

    @Test(arguments: [
        (400, #"{"code":141,"error":"no"}"#, #"{"code":141,"error":"no"}"#),
        (403, #"{"error":"unauthorized"}"#, #"{"error":"unauthorized"}"#),
        (502, "<html>", #"{"code":1,"error":"The answer was HTTP 502, without a reason."}"#),
        (200, "<html>", #"{"code":1,"error":"The answer was HTTP 200, without a reason."}"#),
    ])
    func remoteErrorAffectsOnlyItsBatchItem(_ status: Int, _ body: String, _ error: String) async {
        let answer = await gateway(FakeRemote(status, body: body)).send("POST /batch", body: batch(Self.function))
        expect(answer, 200, #"[{"error":\#(error)}]"#)
    }

    @Test(arguments: [
        APIError.remoteUnreachable(reason: "no network"), .remoteSilent(reason: "no network"),
    ])
    func anUnreachableRemoteIsAskedOncePerBatch(_ error: APIError) async throws {
        let remote = FakeRemote(.failure(error))
        let items = "\(Self.function),\(Self.create),\(Self.function)"
        let answer = try await gateway(remote).send("POST /batch", body: batch(items)).json.array
        #expect(answer?[0] == ["error": ["code": 100, "error": "no network"]])
        #expect(answer?[1].object?["success"] != nil)
        #expect(answer?[2].object?["error"]?.object?["code"] == 100)
        #expect(remote.calls.count == 1)
    }

    @Test func batchWithSessionIsAcceptedIfEveryItemIsForwarded() async {
        let remote = FakeRemote()
        let session = ["X-Parse-Session-Token": "r:1"]
        let gateway = gateway(remote)
        expect(await gateway.send("POST /batch", session, body: batch(Self.function)), 200, #"[{"success":{}}]"#)
        let invalid =
            #"{"code":119,"error":"This replica serves no users. To use it with sessions, start it with --people personal."}"#
        for items in ["\(Self.function),\(Self.create)", ""] {
            expect(await gateway.send("POST /batch", session, body: batch(items)), 400, invalid)
        }
        #expect(remote.calls.count == 1)
    }

    @Test func transactionWithAForwardedItemIsRefused() async {
        let remote = FakeRemote()
        let gateway = gateway(remote)
        let answer = await gateway.send(
            "POST /batch", body: batch("\(Self.create),\(Self.function)", transaction: true))
        #expect(answer.status == 400 && answer.text.contains("107"))
        #expect(remote.calls.isEmpty && gateway.store.state.withLock { $0.groups.isEmpty })
    }

    @Test func standaloneGatewayAnswersBatchItemsLikeSingleRequests() async {
        let gateway = Gateway.make { $0.keys = .init(masterKey: "own") }
        let items =
            #"{"method":"POST","path":"/functions/f"},{"method":"GET","path":"/schemas"},"#
            + #"{"method":"POST","path":"/events/Opened"},{"method":"GET","path":"/aggregate/Holiday","body":{"$count":"n"}}"#
        let needsMaster = #"{"error":{"error":"unauthorized: master key is required"}}"#
        let function = #"{"error":{"code":141,"error":"Invalid function: \"f\""}}"#
        expect(
            await gateway.send("POST /batch", body: batch(items)), 200,
            #"[\#(function),\#(needsMaster),{"success":{}},\#(needsMaster)]"#)
        expect(
            await gateway.send("POST /batch", ["X-Parse-Master-Key": "own"], body: batch(items)), 200,
            #"[\#(function),{"success":{"results":[]}},{"success":{}},{"success":{"results":[]}}]"#)
    }
}
