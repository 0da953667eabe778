import GatewayAPI
import HTTPTypes
import ParseModel
import Testing

/// The field `ops` of the class `Marked` holds operation ids: ids of executed requests, which clients must not see.
@Suite("Hiding of operation ids from clients")
struct HiddenOperationIdsTests {
    private static let key = ["X-Parse-Master-Key": "theirs"]

    private func send(
        _ line: String, body: String = "", answer: String
    ) async -> (remote: FakeRemote, text: String, status: Int) {
        let remote = FakeRemote(body: answer)
        let gateway = Gateway.make(sync: FakeSync(), remote: remote) { $0.keys = .init(masterKey: "own") }
        let answer = await gateway.send(line, Self.key, body: body)
        return (remote, answer.text, answer.status)
    }

    private static let marked = #"{"className":"Marked","fields":{"n":{"type":"Number"},"ops":{"type":"Array"}}}"#
    private static let shown = #"{"className":"Marked","fields":{"n":{"type":"Number"}}}"#
    private static let other = #"{"className":"Holiday","fields":{"ops":{"type":"Array"}}}"#

    @Test(arguments: [
        ("GET /schemas", #"{"results":[\#(marked),\#(other)]}"#, #"{"results":[\#(shown),\#(other)]}"#),
        ("GET /schemas/Marked", marked, shown), ("GET /schemas/Holiday", other, other),
        ("PUT /schemas/Marked", marked, shown), ("POST /schemas", marked, shown),
        (
            "GET /aggregate/Far", #"{"results":[{"objectId":"a","ops":["x"]}]}"#,
            #"{"results":[{"objectId":"a","ops":["x"]}]}"#
        ),
        ("GET /aggregate/Marked", #"{"results":[{"objectId":"a","ops":["x"]}]}"#, #"{"results":[{"objectId":"a"}]}"#),
        (
            "POST /functions/f",
            #"{"result":[{"__type":"Object","className":"Marked","ops":["x"],"n":1.50},{"ops":1}]}"#,
            #"{"result":[{"__type":"Object","className":"Marked","n":1.50},{"ops":1}]}"#
        ),
    ])
    func operationIdsAreRemovedFromTheRemotesAnswers(_ line: String, _ answer: String, _ expected: String) async {
        let sent = await send(line, body: line.hasPrefix("GET") ? "" : "{}", answer: answer)
        #expect(sent.text == expected)
        #expect(sent.status == 200)
    }

    @Test func operationIdsAreRemovedFromAnswersInBatches() async {
        let item = #"{"requests":[{"method":"GET","path":"/schemas/Marked","body":{}}]}"#
        #expect(await send("POST /batch", body: item, answer: Self.marked).text == #"[{"success":\#(Self.shown)}]"#)
    }

    @Test(arguments: [
        ("PUT /schemas/Marked", #"{"fields":{"ops":{"__op":"Delete"}}}"#),
        ("PUT /schemas/Marked", #"{"fields":{"ops":{"type":"Array"}}}"#),
        ("POST /schemas/Marked", #"{"fields":{"ops":{"type":"String"}}}"#),
        ("POST /schemas", #"{"className":"Marked","fields":{"ops":{"type":"Array"}}}"#),
    ])
    func theColumnOfOperationIdsCannotBeChangedThroughTheGateway(_ line: String, _ body: String) async {
        let sent = await send(line, body: body, answer: "{}")
        #expect(sent.status == 400)
        #expect(sent.text == #"{"code":105,"error":"ops holds operation ids and cannot be changed."}"#)
        #expect(sent.remote.calls.isEmpty)
    }

    @Test func columnNamedLikeOperationIdsInAnotherClassCanBeChanged() async {
        let sent = await send("PUT /schemas/Holiday", body: #"{"fields":{"ops":{"__op":"Delete"}}}"#, answer: "{}")
        #expect(sent.status == 200 && sent.remote.calls.count == 1)
    }

    @Test(arguments: [
        "distinct=ops", "pipeline=%5B%7B%22%24group%22%3A%7B%22_id%22%3A%22%24ops%22%7D%7D%5D",
        "pipeline=%5B%7B%22%24project%22%3A%7B%22ops%22%3A1%7D%7D%5D", "where=%7B%22ops.0%22%3A%22x%22%7D",
    ])
    func anAggregateThatNamesTheColumnOfOperationIdsIsRefused(_ query: String) async {
        let sent = await send("GET /aggregate/Marked?" + query, answer: "{}")
        #expect(sent.status == 400 && sent.remote.calls.isEmpty)
        #expect(sent.text.contains(#""code":119"#))
        #expect(await send("GET /aggregate/Far?" + query, answer: "{}").status == 200)
    }
}
