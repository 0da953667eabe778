import HTTPServer
import ParseModel
import Testing

@testable import GatewayAPI

/// Tests denials: the client learns only that its request is denied, and the log has the reason.
struct DenialTests {
    private static let hidden = #"{"error":"Permission denied"}"#
    private static let detail = #"{"error":"unauthorized: master key is required"}"#

    @Test func denialReasonHiddenFromTheClientIsLogged() async {
        let log = LogLines(from: .info)
        let gateway = Gateway.make(log: log) { $0.denialDetails = .hidden }
        expect(await gateway.send("GET /schemas"), 403, Self.hidden)
        #expect(log.lines.contains { $0.contains("request denied") && $0.contains("master key is required") })
    }

    @Test func loggedDenialsAreLimitedPerMinute() async {
        let log = LogLines(from: .info)
        let gateway = Gateway.make(log: log) { $0.denialDetails = .hidden }
        for _ in 0..<100 { expect(await gateway.send("GET /schemas"), 403, Self.hidden) }
        #expect(log.lines.count { $0.contains("request denied") } == 20)
        #expect(log.lines.count { $0.contains("not logged") } == 1)
    }

    @Test func limitOfLoggedDenialsRestartsEachMinute() async {
        let log = LogLines(from: .info)
        let gateway = Gateway.make(tick: .seconds(10), log: log) { $0.denialDetails = .hidden }
        for _ in 0..<100 { expect(await gateway.send("GET /schemas"), 403, Self.hidden) }
        #expect(log.lines.count { $0.contains("request denied") } == 100)
    }

    @Test func denialReasonsAreShownToLoopbackClientsOnly() async throws {
        let gateway = Gateway.make { $0.denialDetails = .shownOnThisMachine }
        expect(await gateway.send("GET /schemas"), 403, Self.detail)
        let elsewhere = try #require(IPAddress("192.168.0.7"))
        expect(await gateway.send("GET /schemas", from: elsewhere), 403, Self.hidden)
    }

    @Test func batchItemsHideDenialReasons() async {
        let gateway = Gateway.make { $0.denialDetails = .hidden }
        let body = #"{"requests":[{"method":"DELETE","path":"/users/u"}]}"#
        expect(
            await gateway.send("POST /batch", body: body), 200,
            #"[{"error":{"code":206,"error":"Permission denied"}}]"#)
    }

    @Test func errorsOtherThanDenialsKeepTheirTexts() async {
        let gateway = Gateway.make { $0.denialDetails = .hidden }
        expect(
            await gateway.send("POST /sync"), 400,
            #"{"code":119,"error":"This gateway is standalone: it has no remote to sync with."}"#)
        expect(await gateway.send("GET /classes/Note/none"), 404, #"{"code":101,"error":"Object not found."}"#)
    }

    @Test func replicaShowsDenialReasons() async {
        let gateway = Gateway.make(sync: FakeSync()) { $0.denialDetails = .hidden }
        expect(await gateway.send("GET /serverInfo"), 403, Self.detail)
    }
}
