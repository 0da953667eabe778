import GatewayAPI
import StoreService
import Testing

@Suite struct MetricsRouteTests {
    @Test func metricsAreServedInPrometheusTextFormatUnderEachPathPrefix() async {
        let gateway = Gateway.make()
        for line in ["GET /metrics", "GET /parse/metrics", "GET /1/metrics", "HEAD /metrics"] {
            let answer = await gateway.send(line)
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        }
        #expect(await gateway.send("POST /metrics").status == 404)
    }

    @Test func everyMetricFamilyHasAHelpTextAndAType() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        _ = await gateway.send("GET /classes/Holiday/a")
        let scrape = await gateway.scrape()
        #expect(
            scrape.types == [
                "tidegate_build_info": "gauge", "tidegate_start_time_seconds": "gauge",
                "tidegate_http_requests_total": "counter", "tidegate_http_request_duration_seconds": "histogram",
                "tidegate_change_streams": "gauge", "tidegate_live_subscriptions": "gauge",
            ])
        #expect(scrape.helps.keys == scrape.types.keys)
    }

    @Test func theMetricsContainVersionModeAndStartTime() async {
        let scrape = await Gateway.make(sync: FakeSync()).scrape()
        #expect(scrape.value("tidegate_build_info", ["version": "0.1.0", "mode": "replica"]) == 1)
        #expect(scrape.value("tidegate_start_time_seconds") == 0)
    }

    @Test func metricsNeedTheAccessKey() async {
        let gateway = Gateway.make { $0.accessKey = "k" }
        #expect(await gateway.send("GET /metrics").status == 403)
        #expect(await gateway.send("GET /metrics", ["Authorization": "Bearer k"]).status == 200)
    }

    @Test func metricsSourcesAreReadForEachScrape() async {
        let source = FakeSource()
        let gateway = Gateway.make(metrics: [source])
        #expect(await gateway.scrape().value("a", ["of": "x"]) == 1)
        source.outcome.withLock { $0 = .success(2) }
        #expect(await gateway.scrape().value("a", ["of": "x"]) == 2)
    }

    @Test func failureToReadMetricsIsAnsweredWithoutItsReason() async {
        let source = FakeSource()
        source.outcome.withLock { $0 = .failure(.database(operation: "read", reason: "secret (SQLite 10)")) }
        let gateway = Gateway.make(metrics: [source])
        expect(await gateway.send("GET /metrics"), 500, #"{"code":1,"error":"An internal server error occurred"}"#)
    }

    @Test func equalMetricsGiveTheSameText() async {
        let texts = await [made(), made()]
        #expect(texts[0] == texts[1])
    }

    private func made() async -> String {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]), metrics: [FakeSource()])
        for line in ["DELETE /a", "GET /health", "GET /classes/Holiday/b", "GET /classes/Holiday/a", "GET /b"] {
            _ = await gateway.send(line)
        }
        return await gateway.send("GET /metrics").text
    }
}
