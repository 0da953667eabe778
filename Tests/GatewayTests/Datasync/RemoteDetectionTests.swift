import Foundation
import LocalStore
import ParseModel
import StoreService
import TablesServer
import Testing

@testable import Gateway

/// Tests the detection of the remote's kind if the settings do not name it.
@Suite struct RemoteDetectionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func server(_ variant: TablesVariant, users: TablesServer.Users = .init()) throws -> TablesServer {
        var table = TablesServer.Table("Holiday", columns: DatasyncWorld.columns, dialect: variant.dialect)
        table.needsToken = !users.tokens.isEmpty
        return try TablesServer(variant.dialect, tables: [table], users: users, now: { 1_000_000 })
    }

    private func kind(
        of url: String, token: String? = nil, classes: [String] = ["Boat", "Holiday"]
    ) async throws -> RemoteKind? {
        try await RemoteDetection(remotes: .standard, stores: LocalStoreKind()).complete(
            GatewayConfiguration.Remote(kind: nil, url: url, token: token.map { .fixed(Secret($0)) }),
            classes: classes, directory: directory.path
        ).kind
    }

    private func refusal(of url: String, classes: [String] = ["Holiday"]) async throws -> String {
        let error = await #expect(throws: GatewayError.self) { _ = try await kind(of: url, classes: classes) }
        return try #require(error).description
    }

    /// The detection tries each class, so the first class need not have a table.
    @Test(arguments: [TablesVariant.azure, .community]) func tableServerIsRecognizedAsTheKindOfRemote(
        _ variant: TablesVariant
    ) async throws {
        let server = try server(variant)
        #expect(try await kind(of: server.url) == .datasync)
        #expect(server.requests.allSatisfy { $0.hasPrefix("GET ") })
    }

    @Test func detectionOfTheRemoteKindSendsTheToken() async throws {
        let server = try server(.azure, users: .init(tokens: ["secret-token": "ada"]))
        #expect(try await kind(of: server.url, token: "secret-token") == .datasync)
        let refusal = try await refusal(of: server.url)
        #expect(refusal.contains("You must be logged in"))
        #expect(refusal.hasSuffix("Name it with --remote-kind datasync|parse"))
    }

    @Test func detectionOfAParseServerNeedsTheApplicationId() async throws {
        var configuration = GatewayConfiguration(dataDirectory: directory.path + "/hub")
        configuration.listen = ListenAddress(host: "127.0.0.1", port: 0)
        configuration.localKeys.applicationId = "app"
        let hub = try await Gateway(configuration: configuration, stores: LocalStoreKind(), logger: .quiet)
        let running = Task { try await hub.run() }
        #expect(
            try await refusal(of: hub.url)
                == "the remote \(hub.url) is a Parse Server, which needs its application id: add --app-id ID")
        running.cancel()
        try await running.value
    }

    @Test func detectionOfTheRemoteKindFailsForAnUnreachableServerOrAMissingTable() async throws {
        let server = try server(.azure)
        #expect(try await refusal(of: server.url, classes: ["Boat"]).contains("it answers no list of Boat"))
        #expect(try await refusal(of: server.url, classes: []).contains("without a class: add --class NAME"))
        server.close()
        #expect(try await refusal(of: server.url).hasSuffix("Name it with --remote-kind datasync|parse"))
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/tidegate.sqlite"))
    }

    /// The data directory stores the detected kind, so a later start needs no connection.
    @Test func storedKindOfTheRemoteIsUsedOffline() async throws {
        let url = "http://127.0.0.1:9"
        for kind in [RemoteKind.datasync, .parse] {
            let inner = directory.path + "/\(kind.rawValue)"
            let identity = StoreIdentity(
                remote: .init(kind: kind.rawValue, url: url, applicationId: kind == .parse ? "app" : nil))
            let settings = StoreSettings(directory: inner, identity: identity)
            do {
                let store = try LocalStoreKind().open(settings, environment: .live)
                try await store.registerClass("Holiday", files: .init(), opField: nil)
                try await store.configureClass("Holiday") { options, _ in options.mapping.table = "/tables/days" }
                let outline = try LocalStoreKind().remoteOutline(in: inner)
                #expect(outline?.mappings["Holiday"]?.table == "/tables/days")
            }
            let settled = try await RemoteDetection(remotes: .standard, stores: LocalStoreKind()).complete(
                GatewayConfiguration.Remote(kind: nil, url: url, applicationId: "app"), classes: [], directory: inner)
            #expect(settled.kind == kind)
        }
        #expect(try LocalStoreKind().remoteOutline(in: directory.path + "/none") == nil)
    }
}
