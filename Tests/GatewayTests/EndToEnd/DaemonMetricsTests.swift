import Foundation
import HTTPClient
import Testing

/// Tests the metrics of a running standalone gateway and its replica, parsed as by a Prometheus server.
@Suite("Metrics of daemons", .serialized)
struct DaemonMetricsTests {
    @Test func replicaMetricsCountSyncsAndStandaloneMetricsCountObjects() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0])
        let replica = try await Daemon.replica(of: hub.url, directories[1])
        _ = try await replica.create(["name": "ours"])
        #expect(try await replica.sync().status == 200)
        let theirs = try await figures(hub)
        #expect(theirs[#"objects{class="Holiday"}"#] == 1)
        #expect(theirs.count("sync") == 0)
        #expect(theirs[#"http_requests_total{route="getMetrics",method="GET",status="200"}"#] == nil)
        let ours = try await figures(replica)
        #expect(ours[#"http_requests_total{route="createObject",method="POST",status="201"}"#] == 1)
        #expect(try #require(ours[#"syncs_total{outcome="finished"}"#]) >= 1)
        #expect(ours["outbox_objects"] == 0)
        #expect(hub.end(SIGTERM) == 0)
        #expect(try await replica.sync().status == 503)
        #expect(try #require(try await figures(replica)[#"remote_errors_total{kind="offline"}"#]) >= 1)
    }

    private func figures(_ daemon: Daemon) async throws -> Figures {
        let request = HTTPClientRequest(method: .get, url: daemon.url + "/metrics", isRepeatable: true)
        let answer = try await CurlTransport(configuration: .init()).send(request)
        #expect(answer.status == .ok)
        return Figures(String(decoding: answer.body, as: UTF8.self))
    }
}
