import HTTPClient
import HTTPTypes
import LocalStore
import ParseModel
import RemoteService
import StoreService
import Testing

@testable import Gateway

/// Tests limits that a remote names in its refusals. The data directory keeps them over restarts.
@Suite("Limits that a remote names in refusals", .timeLimit(.minutes(5)))
struct RemoteLimitsTests {
    private let directory: TemporaryDirectory
    private let hubDirectory: TemporaryDirectory
    private let hub: Hub
    private let transport: HandlerTransport

    init() throws {
        directory = try TemporaryDirectory()
        hubDirectory = try TemporaryDirectory()
        let clock = TestClock()
        hub = try Hub(hubDirectory, clock: clock)
        transport = HandlerTransport(hub.api, clock: clock)
        transport.set { _, path, body in
            let count = body.ranges(of: #""method""#).count
            guard path.hasSuffix("/batch"), count > 20 else { return nil }
            let text = "Batch request contains \(count) sub-requests, which exceeds the limit of 20."
            return .answer(status: 400, body: #"{"code":107,"error":"\#(text)"}"#)
        }
    }

    private var remotes: RemoteFactory {
        .standard.registering(.parse, needsApplicationId: true) { [transport] setup in
            RemoteFactory.parseRemote(setup, transport: transport)
        }
    }

    private var configuration: GatewayConfiguration {
        var configuration = GatewayConfiguration(dataDirectory: directory.path + "/data")
        configuration.remote = GatewayConfiguration.Remote(
            kind: .parse, url: "http://localhost:1337/parse", applicationId: "app")
        configuration.listen = ListenAddress(host: "127.0.0.1", port: 0)
        configuration.classes = ["Holiday"]
        configuration.synchronous = .normal
        return configuration
    }

    /// Starts the gateway, creates 50 objects, syncs, and stops it.
    /// - Returns: the sizes of the batches of writes that were sent, and the answer of `GET /sync`.
    private func run() async throws -> (sizes: [Int], status: JSONObject) {
        let gateway = try await Gateway(
            configuration: configuration, stores: LocalStoreKind(), remotes: remotes, logger: .quiet)
        let running = Task { try await gateway.run() }
        let client = GatewayClient(url: gateway.url)
        _ = try await client.sync()
        let items = (0..<50).map { n -> JSONValue in
            ["method": "POST", "path": "/parse/classes/Holiday", "body": ["n": .int(n)]]
        }
        let response = try await CurlTransport().send(
            HTTPClientRequest(
                method: .post, url: gateway.url + "/batch", headers: [.contentType: "application/json"],
                body: (["requests": .array(items)] as JSONObject).jsonBytes, isRepeatable: false))
        #expect(response.status == .ok)
        _ = try await client.sync()
        let sizes = transport.takeSent().filter { $0.line.hasSuffix("/batch") && $0.body.contains(#""POST""#) }
            .map { $0.body.ranges(of: #""method""#).count }
        let status = try await client.status()
        running.cancel()
        try await running.value
        return (sizes, status)
    }

    @Test func batchLimitNamedByTheRemoteHoldsAfterARestart() async throws {
        let first = try await run()
        #expect(first.sizes.max() == 50)
        #expect(first.status["remoteLimits"]?.object?["batch"] == 20)
        let second = try await run()
        #expect(second.sizes.max() == 20)
        #expect(second.status["remoteLimits"] == ["batch": 20, "includeDepth": .null, "includeCount": .null])
        #expect(try hub.store.all("Holiday").count == 100)
    }

    @Test func doctorNamesTheLimitsOfTheRemote() async throws {
        _ = try await run()
        let findings = try await Doctor.diagnose(configuration, stores: LocalStoreKind(), remotes: remotes)
        let finding = try #require(findings?.first { $0.name == "limits" })
        #expect(finding.text == "The remote has named limits: 20 requests in one batch.")
        #expect(finding.state == .noted)
    }

    @Test func invalidStoredRemoteLimitsCountAsUnknown() {
        #expect(RemoteLimits.Values(json: ["batch": -1, "includeDepth": "x"]) == RemoteLimits.Values())
        let values = RemoteLimits.Values(batch: 20, includeDepth: 3, includeCount: 4)
        #expect(RemoteLimits.Values(json: values.json) == values)
    }
}
