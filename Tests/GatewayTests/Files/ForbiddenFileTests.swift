import Foundation
import GatewayAPI
import HTTPClient
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel
import ParseRemote
import RemoteHTTP
import StoreService
import Testing

@testable import Gateway

/// Tests rows of the remote that name files on this machine or in its network. The gateway must not request them
/// unless the host is allowed.
@Suite("Downloads from forbidden addresses")
struct ForbiddenFileTests {
    /// A server on this machine that answers every request with a text.
    private struct Secret: HTTPHandler {
        func handle(_ request: HTTPServerRequest) -> HTTPReply {
            .now(HTTPServerResponse(status: .ok, headers: [.contentType: "text/plain"], body: Array("secret".utf8)))
        }
    }

    /// Makes a replica with real downloads whose row names a file at this URL, and requests the file from the replica.
    private func get(_ url: (UInt16) -> String, hosts: (UInt16) -> [String]) async throws -> HTTPServerResponse {
        let world = try await World.make()
        let server = try HTTPServer(
            configuration: .init(host: "127.0.0.1", port: 0, bodyBytesMax: 1024), handler: Secret(),
            uptime: Environment.live.uptime,
            sleep: Environment.live.sleep, refusal: { status, _ in HTTPServerResponse(status: status) })
        let address = url(server.port)
        let file: JSONValue = ["__type": "File", "name": "a.txt", "url": .string(address)]
        // A remote gives a file field its own URL. It keeps the URL of a file value inside an array.
        try await world.hub.store.create("Holiday", ["images": [file]])
        try await world.replica.sync()
        // The replica stores the row whether or not the download is allowed.
        let images = try world.replica.store.all("Holiday").values.first?["images"]?.array
        #expect(images?.first?.object?["name"] == "a.txt")
        let transport = CurlTransport()
        let remote = ParseRemote(
            configuration: .init(
                serverURL: "http://localhost:1337/parse", applicationId: "app", replicaId: "r",
                fileSources: FileSources(hosts: hosts(server.port))), transport: transport)
        let files = FileFetcher(
            store: world.replica.store, service: remote.files!, bytesMax: 1000, cacheBytes: 1000, logger: .quiet
        ) { false }
        let api = Replica.api(
            APIParts(
                store: world.replica.store.objects, configuration: .init(mode: .replica, version: "test"),
                environment: world.clock.environment, logger: .quiet),
            RemoteWays(control: StillSync(), files: files))
        let response = await FileClient(api: api).send(.get, "/files/app/a.txt")
        transport.close()
        await server.stop(grace: .zero)
        return response
    }

    @Test(arguments: [
        "http://127.0.0.1:%d/", "http://localhost:%d/", "http://[::ffff:127.0.0.1]:%d/", "http://0.0.0.0:%d/",
        "http://2130706433:%d/", "file:///etc/hostname", "http://169.254.1.1:%d/",
    ])
    func downloadFromAForbiddenAddressIsRefusedWithTheReason(_ url: String) async throws {
        let response = try await get({ url.replacing("%d", with: String($0)) }, hosts: { _ in [] })
        #expect(response.status == .forbidden)
        let answer = try response.json
        #expect(answer["code"] == 119)
        #expect(answer["error"]?.string?.isEmpty == false)
        #expect(!response.text.contains("secret"))
    }

    @Test func aFileOfAnAllowedHostIsDownloaded() async throws {
        let response = try await get({ "http://127.0.0.1:\($0)/" }, hosts: { ["127.0.0.1:\($0)"] })
        #expect(response.status == .ok)
        #expect(response.text == "secret")
    }

    @Test(
        arguments: [
            ("127.0.0.1", "127.0.0.1", 1338, true), ("127.0.0.1", "127.0.0.1", 1337, false),
            ("127.0.0.1", "::ffff:127.0.0.1", 1338, true), ("127.0.0.1", "0.0.0.0", 1338, true),
            ("127.0.0.1", "127.0.0.2", 1338, false), ("0.0.0.0", "127.0.0.2", 1338, true), ("::", "::1", 1338, true),
            ("0.0.0.0", "1.1.1.1", 1338, false),
        ] as [(String, String, UInt16, Bool)])
    func gatewaysOwnListenAddressesAreRecognizedAsDownloadTargets(
        _ host: String, _ address: String, _ port: UInt16, _ isOwn: Bool
    ) throws {
        let listener = OwnListener()
        listener.listens(at: host, port: 1338)
        #expect(try listener.hasAddress(#require(SocketAddress(address, port: port))) == isOwn)
    }

    @Test func wildcardListenerRecognizesEveryAddressOfThisMachineAsItsOwn() {
        let listener = OwnListener()
        listener.listens(at: "0.0.0.0", port: 1338)
        for bytes in SocketAddress.localInterfaceAddresses() {
            #expect(listener.hasAddress(SocketAddress(bytes: bytes, port: 1338)))
            #expect(!listener.hasAddress(SocketAddress(bytes: bytes, port: 1339)))
        }
    }
}
