import Testing

@Suite struct RequestMetricsTests {
    private let total = "tidegate_http_requests_total"
    private let duration = "tidegate_http_request_duration_seconds"

    @Test func metricsCountAnswersByRouteMethodAndStatus() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        for line in ["GET /classes/Holiday/a", "GET /parse/classes/Holiday/a", "GET /classes/Holiday/b"] {
            _ = await gateway.send(line)
        }
        _ = await gateway.send("HEAD /classes/Holiday/a")
        let scrape = await gateway.scrape()
        #expect(scrape.value(total, ["route": "getObject", "method": "GET", "status": "200"]) == 2)
        #expect(scrape.value(total, ["route": "getObject", "method": "GET", "status": "404"]) == 1)
        #expect(scrape.value(total, ["route": "getObject", "method": "HEAD", "status": "200"]) == 1)
        #expect(scrape.value(duration + "_count", ["route": "getObject"]) == 4)
        #expect(scrape.value(duration + "_count", ["route": "listObjects"]) == nil)
    }

    @Test func metricsCountDelayedAnswers() async {
        let gateway = Gateway.make(sync: FakeSync(outcome: .failed(.offline(reason: "off", retryAfter: nil))))
        #expect(await gateway.send("POST /classes/Holiday", body: "{}").isAtHand == false)
        #expect(await gateway.send("POST /sync?wait=true").isAtHand == false)
        let scrape = await gateway.scrape()
        #expect(scrape.value(total, ["route": "createObject", "method": "POST", "status": "201"]) == 1)
        #expect(scrape.value(total, ["route": "startSync", "method": "POST", "status": "503"]) == 1)
        #expect(scrape.value(duration + "_count", ["route": "startSync"]) == 1)
    }

    @Test func metricsCountRequestsWithoutARouteAsUnmatched() async {
        let gateway = Gateway.make()
        for line in ["GET /nonsense", "DELETE /sync", "POST /a/b/c", "GET /parse/app.js", "BREW /classes/Holiday"] {
            #expect(await gateway.send(line).status == 404)
        }
        #expect(await gateway.send("GET /%00").status == 400)
        #expect(await gateway.send("GET /health", ["Host": "evil.example"]).status == 403)
        let scrape = await gateway.scrape()
        #expect(scrape.value(total, ["route": "unmatched", "method": "GET", "status": "404"]) == 2)
        #expect(scrape.value(total, ["route": "unmatched", "method": "DELETE", "status": "404"]) == 1)
        #expect(scrape.value(total, ["route": "unmatched", "method": "POST", "status": "404"]) == 1)
        #expect(scrape.value(total, ["route": "unmatched", "method": "other", "status": "404"]) == 1)
        #expect(scrape.value(total, ["route": "unmatched", "method": "GET", "status": "400"]) == 1)
        #expect(scrape.value(total, ["route": "unmatched", "method": "GET", "status": "403"]) == 1)
        #expect(scrape.value(duration + "_count", ["route": "unmatched"]) == 7)
    }

    @Test func metricsCountRefusedRequestsUnderTheirRoute() async {
        let gateway = Gateway.make { $0.accessKey = "k" }
        _ = await gateway.send("GET /classes/Holiday")
        _ = await gateway.send("POST /classes/Holiday", ["X-Tidegate-Access-Key": "k"], body: "{")
        let scrape = Scrape(await gateway.send("GET /metrics", ["X-Tidegate-Access-Key": "k"]).text)
        #expect(scrape.value(total, ["route": "listObjects", "method": "GET", "status": "403"]) == 1)
        #expect(scrape.value(total, ["route": "createObject", "method": "POST", "status": "400"]) == 1)
    }

    @Test func requestDurationsAreReportedInSeconds() async {
        // The test clock advances by 3 ms at each read. The gateway reads it at the arrival of a request and at the
        // answer.
        let gateway = Gateway.make(tick: .milliseconds(3))
        for _ in 1...2 { _ = await gateway.send("GET /health") }
        let scrape = await gateway.scrape()
        #expect(scrape.value(duration + "_sum", ["route": "getHealth"]) == 0.006)
        #expect(scrape.value(duration + "_bucket", ["route": "getHealth", "le": "0.0025"]) == 0)
        #expect(scrape.value(duration + "_bucket", ["route": "getHealth", "le": "0.005"]) == 2)
    }

    @Test func metricsCountAllConcurrentRequests() async {
        let gateway = Gateway.make()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<100 { _ = await gateway.send("GET /health") } }
            }
        }
        let health = ["route": "getHealth", "method": "GET", "status": "200"]
        #expect(await gateway.scrape().value(total, health) == 800)
    }
}
