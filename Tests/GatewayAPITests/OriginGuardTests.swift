import GatewayAPI
import HTTPServer
import HTTPTypes
import Testing

@Suite struct OriginGuardTests {
    @Test(arguments: ["localhost", "127.0.0.1:1338", "[::1]:80", "LOCALHOST:1", "gate.local", "other.local:8080"])
    func requestsToTheGatewaysOwnHostNamesPass(_ host: String) async {
        let gateway = Gateway.make { $0.allowedHosts = ["gate.local", "other.local:8080"] }
        #expect(await gateway.send("GET /health", ["Host": host]).status == 200)
    }

    @Test(arguments: [
        "", "evil.example", "evil.example:1338", "localhost.evil.example", "127.0.0.1.evil.example",
        "localhost:80@evil", "localhost, evil.example", "other.local:8081", "[::2]",
    ])
    func requestsToForeignHostNamesAreRefused(_ host: String) async throws {
        let gateway = Gateway.make { $0.allowedHosts = ["other.local:8080"] }
        let answer = await gateway.send("GET /health", ["Host": host])
        #expect(answer.status == 403)
        #expect(try answer.json.object?["error"]?.string?.hasPrefix("forbidden: ") == true)
        #expect(answer.header("X-Tidegate-Mode") == "standalone")
    }

    @Test func anIPv6ListenAddressIsBracketedInTheHostName() async {
        let gateway = Gateway.make { $0.allowedHosts = ["fe80::1"] }
        #expect(await gateway.send("GET /health", ["Host": "[fe80::1]:1338"]).status == 200)
    }

    @Test func theGatewaysOwnOriginPassesWithoutCORSHeaders() async {
        let answer = await Gateway.make().send("GET /health", ["Origin": "http://127.0.0.1:1338"])
        #expect(answer.status == 200)
        #expect(answer.header("Access-Control-Allow-Origin") == nil)
    }

    @Test(arguments: [
        "https://evil.example", "null", "http://127.0.0.1:1339", "http://localhost:1338", "https://127.0.0.1:1338",
    ])
    func foreignOriginsAreRefusedAlsoForSimplePosts(_ origin: String) async {
        let gateway = Gateway.make()
        let simple = await gateway.send(
            "POST /classes/Holiday", ["Origin": origin, "Content-Type": "text/plain"], body: "{}")
        #expect(simple.status == 403)
        #expect(await gateway.send("GET /classes/Holiday", ["Origin": origin]).status == 403)
        #expect(
            await gateway.send("OPTIONS /classes/Holiday", ["Origin": origin, "Access-Control-Request-Method": "PUT"])
                .status == 403)
        #expect(gateway.store.state.withLock { $0.groups.isEmpty })
    }

    @Test func aNullOriginOfTheGatewaysOwnPagePasses() async {
        let answer = await Gateway.make().send(
            "POST /classes/Holiday", ["Origin": "null", "Sec-Fetch-Site": "same-origin"])
        #expect(answer.status == 201)
    }

    @Test func anAllowedOriginMayReadAnswers() async {
        let gateway = Gateway.make { $0.allowedOrigins = ["https://App.example"] }
        for line in ["GET /classes/Holiday", "POST /classes/Holiday", "GET /nowhere"] {
            let answer = await gateway.send(line, ["Origin": "https://app.example"])
            #expect(answer.status != 403)
            #expect(answer.header("Access-Control-Allow-Origin") == "https://app.example")
            #expect(answer.header("Vary") == "Origin")
        }
    }

    @Test func thePreflightOfAnAllowedOriginNamesTheAllowedHeaders() async {
        let gateway = Gateway.make {
            $0.allowedOrigins = ["https://app.example"]
            $0.accessKey = "secret"
        }
        let answer = await gateway.send(
            "OPTIONS /classes/Holiday/x",
            [
                "Origin": "https://app.example", "Access-Control-Request-Method": "PUT",
                "Access-Control-Request-Private-Network": "true",
            ])
        expect(answer, 204, "")
        #expect(answer.header("Access-Control-Allow-Origin") == "https://app.example")
        #expect(answer.header("Access-Control-Allow-Methods")?.contains("DELETE") == true)
        #expect(answer.header("Access-Control-Allow-Headers")?.contains("X-Tidegate-Access-Key") == true)
        #expect(answer.header("Access-Control-Allow-Private-Network") == "true")
    }

    @Test(arguments: ["same-origin", "none"])
    func requestsFromTheGatewaysPageAndTypedURLsPass(_ site: String) async {
        #expect(await Gateway.make().send("GET /sync", ["Sec-Fetch-Site": site]).status == 200)
    }

    @Test func allowedOriginMayReadErrorAnswersOfTheServer() {
        let gateway = Gateway.make { $0.allowedOrigins = ["https://app.example"] }
        for status in [413, 431, 503] {
            let head = HTTPServerRequest(
                method: .post, path: "/classes/Holiday",
                headers: [.hostName: "127.0.0.1:1338", .origin: "https://app.example"])
            let answer = Answer(response: gateway.api.refusal(.init(code: status), of: head), isAtHand: true)
            #expect(answer.header("Access-Control-Allow-Origin") == "https://app.example")
            #expect(answer.header("Cross-Origin-Resource-Policy") == "same-origin")
            #expect(gateway.api.refusal(.init(code: status), of: nil).headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test func theBodyOfARefusedRequestIsDiscarded() {
        let gateway = Gateway.make()
        let head = HTTPServerRequest(
            method: .post, path: "/classes/Holiday",
            headers: [.hostName: "127.0.0.1:1338", .origin: "https://evil.example"])
        guard case .refused(let response) = gateway.api.bodyPlace(for: head) else {
            Issue.record("the body is taken")
            return
        }
        #expect(response.status == .forbidden)
    }
}

@Suite struct AccessKeyTests {
    let gateway = Gateway.make { $0.accessKey = "secret" }

    @Test(arguments: [
        ["X-Tidegate-Access-Key": "secret"], ["Authorization": "Bearer secret"], ["Authorization": "bearer secret"],
        ["X-Parse-REST-API-Key": "secret"], ["X-Parse-Javascript-Key": "secret"], ["X-Parse-Client-Key": "secret"],
        ["X-Parse-Master-Key": "secret", "X-Parse-REST-API-Key": "other"],
    ])
    func accessKeyInAHeaderIsAccepted(_ headers: [String: String]) async {
        #expect(await gateway.send("GET /classes/Holiday", headers).status == 200)
    }

    @Test func accessKeyInTheBodyIsAcceptedAndNotStored() async {
        let body = #"{"_ApplicationId":"app","_JavaScriptKey":"secret","name":"x"}"#
        #expect(await gateway.send("POST /classes/Holiday", body: body).status == 201)
        #expect(gateway.store.state.withLock { $0.objects["Holiday"]?.first?.fields } == ["name": "x"])
    }

    @Test(arguments: [
        [:], ["X-Tidegate-Access-Key": "secre"], ["X-Tidegate-Access-Key": "secret2"],
        ["X-Tidegate-Access-Key": "Secret"],
        ["Authorization": "Basic secret"], ["X-Parse-Application-Id": "secret"],
    ])
    func wrongAccessKeyIsRefusedWithTheTextOfParseServer(_ headers: [String: String]) async {
        for line in ["GET /classes/Holiday", "POST /sync", "GET /changes", "GET /serverInfo", "POST /nowhere"] {
            let answer = await gateway.send(line, headers)
            expect(answer, 403, #"{"error":"unauthorized"}"#)
            #expect(answer.header("Content-Type") == nil)
        }
    }

    @Test func unparsableBodyWithoutAccessKeyIsRefusedForTheMissingKey() async {
        #expect(await gateway.send("POST /classes/Holiday", body: "{").status == 403)
        let key = ["X-Tidegate-Access-Key": "secret"]
        #expect(await gateway.send("POST /classes/Holiday", key, body: "{").status == 400)
    }

    @Test func healthCheckAndPageNeedNoAccessKey() async {
        #expect(await gateway.send("GET /health").status == 200)
        #expect(await gateway.send("GET /").status == 200)
        #expect(await gateway.send("GET /app.js").status == 404)
    }

    @Test func anEmptyAccessKeySettingMeansNoKey() async {
        #expect(await Gateway.make { $0.accessKey = "" }.send("GET /classes/Holiday").status == 200)
    }
}
