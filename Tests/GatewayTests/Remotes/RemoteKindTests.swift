import Foundation
import HTTPClient
import HTTPTypes
import LocalStore
import ParseModel
import RemoteService
import Testing

@testable import Gateway
@testable import tidegate

extension RemoteKind {
    /// A kind of remote that only these tests register.
    fileprivate static let tables = RemoteKind(rawValue: "tables")
}

/// Tests the kinds of remotes. The kind is a setting, and a new kind needs only one registration.
@Suite("Kinds of remotes", .timeLimit(.minutes(5)))
struct RemoteKindTests {
    private let remote = TableRemote(clock: TestClock())
    private var remotes: RemoteFactory {
        .standard.registering(.tables, needsApplicationId: false) { [remote] _ in remote }
    }

    // MARK: Settings

    @Test func parseIsTheDefaultKindOfRemote() throws {
        let settings: [Setting: [String]] = [.remote: ["https://parse.example"], .appId: ["app"]]
        #expect(try load(settings).remote?.kind == .parse)
        #expect(try load(settings, ["TIDEGATE_REMOTE_KIND": "Parse"]).remote?.kind == .parse)
        #expect(RemoteFactory.standard.names == ["datasync", "parse"])
    }

    /// Only a Parse Server has an application id. Without one, the kind is unknown until an answer shows it.
    @Test func applicationIdSettingImpliesAParseRemote() throws {
        let remote: [Setting: [String]] = [.remote: ["https://parse.example"]]
        #expect(try load(remote.merging([.appId: ["app"]]) { $1 }).remote?.kind == .parse)
        #expect(try #require(try load(remote).remote).kind == nil)
    }

    @Test func unknownKindOfRemoteIsRefusedWithAListOfKnownKinds() {
        let settings: [Setting: [String]] = [
            .remote: ["https://parse.example"], .appId: ["app"], .remoteKind: ["gopher"],
        ]
        #expect(
            throws: ConfigurationError("--remote-kind: 'gopher' is not one of datasync, parse")
        ) { try load(settings) }
        #expect(throws: ConfigurationError("--remote-kind: 'gopher' is not one of datasync, parse, tables")) {
            try load(settings, remotes: remotes)
        }
    }

    @Test func onlyTheKindParseNeedsAnApplicationId() throws {
        let settings: [Setting: [String]] = [.remote: ["https://tables.example"], .remoteKind: ["tables"]]
        let loaded = try load(settings, remotes: remotes).remote
        #expect(loaded == GatewayConfiguration.Remote(kind: .tables, url: "https://tables.example"))
    }

    // MARK: Gateway

    private func configuration(_ directory: TemporaryDirectory, _ kind: RemoteKind) -> GatewayConfiguration {
        var configuration = GatewayConfiguration(dataDirectory: directory.path + "/data")
        configuration.remote = GatewayConfiguration.Remote(kind: kind, url: "http://localhost/tables")
        configuration.listen = ListenAddress(host: "127.0.0.1", port: 0)
        configuration.classes = ["Holiday"]
        configuration.synchronous = .normal
        return configuration
    }

    @Test func unknownKindOfRemoteIsRefusedBeforeTheStoreIsOpened() async throws {
        let directory = try TemporaryDirectory()
        let configuration = configuration(directory, RemoteKind(rawValue: "gopher"))
        let error = await #expect(throws: GatewayError.self) {
            _ = try await Gateway(
                configuration: configuration, stores: LocalStoreKind(), remotes: remotes, logger: .quiet)
        }
        #expect(error?.description == "'gopher' is no kind of remote: choose one of datasync, parse, tables")
        #expect(!FileManager.default.fileExists(atPath: configuration.dataDirectory))
    }

    /// Runs the whole gateway over sockets, with a remote that is no Parse Server.
    @Test func gatewaySyncsWithARegisteredKindOfRemote() async throws {
        let directory = try TemporaryDirectory()
        remote.put("Holiday", "there", ["name": "Easter"])
        let gateway = try await Gateway(
            configuration: configuration(directory, .tables), stores: LocalStoreKind(), remotes: remotes, logger: .quiet
        )
        let running = Task { try await gateway.run() }
        let client = GatewayClient(url: gateway.url)
        let made = try await post(gateway.url + "/classes/Holiday", ["name": "Pentecost"])
        _ = try await client.sync()
        #expect(remote.fields("Holiday", try #require(made["objectId"]?.string)) == ["name": "Pentecost"])
        let status = try await client.status()
        #expect(status["remote"] == ["url": "http://localhost/tables", "applicationId": .null])
        #expect(try await post(gateway.url + "/functions/hello", [:])["code"] == 108)
        #expect(try await post(gateway.url + "/files/cat.png", ["a": 1])["code"] == 130)
        running.cancel()
        try await running.value
    }

    @Test(arguments: ["parse", "tables"]) func dataDirectoryOfAnotherKindOfRemoteIsRefused(_ kind: String) throws {
        let configuration = configuration(try TemporaryDirectory(), RemoteKind(rawValue: kind))
        #expect(configuration.store().identity.remote?.kind == kind)
    }

    private func post(_ url: String, _ body: JSONObject) async throws -> JSONObject {
        let response = try await CurlTransport().send(
            HTTPClientRequest(
                method: .post, url: url, headers: [.contentType: "application/json"], body: body.jsonBytes,
                isRepeatable: false))
        return try JSONReader.read(response.body).object ?? [:]
    }

    // MARK: Doctor

    @Test func doctorListsWhatTheKindOfRemoteLacks() async throws {
        let configuration = configuration(try TemporaryDirectory(), .tables)
        let findings = try #require(
            try await Doctor.diagnose(configuration, stores: LocalStoreKind(), remotes: remotes))
        #expect(findings.count == 4)
        #expect(findings.allSatisfy { $0.state == .noted && $0.text.hasSuffix("not offered by this kind of remote.") })
    }
}
