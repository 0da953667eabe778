import Foundation
import HTTPClient
import HTTPTypes
import ParseModel
import Testing

/// Tests files with real daemons and sockets.
@Suite("Daemons and files", .serialized)
struct FileDaemonTests {
    private let client = CurlTransport(configuration: .init())
    private let directories: [TemporaryDirectory]

    init() throws { directories = [try TemporaryDirectory(), try TemporaryDirectory()] }

    /// Makes content whose bytes are about as random as those of an image.
    private static func content(_ size: Int) -> [UInt8] {
        var seed: UInt64 = 7
        return (0..<size).map { _ in
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: seed >> 33)
        }
    }

    private func upload(
        _ content: [UInt8], to daemon: Daemon, _ headers: HTTPFields = [.contentType: "image/png"]
    ) async throws -> HTTPClientResponse {
        try await client.send(
            HTTPClientRequest(
                method: .post, url: daemon.url + "/files/big.png", headers: headers, body: content,
                isRepeatable: false))
    }

    private func file(_ response: HTTPClientResponse) throws -> JSONValue {
        let answer = try #require(try JSONReader.read(response.body).object)
        return ["__type": "File", "name": answer["name"] ?? .null, "url": answer["url"] ?? .null]
    }

    private func get(_ url: JSONValue?) async throws -> HTTPClientResponse {
        try await client.send(
            HTTPClientRequest(method: .get, url: url?.string ?? "", isRepeatable: true))
    }

    private func drafts(_ directory: TemporaryDirectory) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path + "/files/drafts")) ?? []
    }

    @Test func largeFileIsUploadedFromAReplicaToItsRemote() async throws {
        let hub = try await Daemon(directories[0])
        let replica = try await Daemon.replica(of: hub.url, directories[1])
        let content = Self.content(9_000_000)
        let file = try file(try await upload(content, to: replica))
        #expect(try await get(file.object?["url"]).body == content)
        let made = try await replica.send(.post, "/classes/Holiday", ["image": file])
        #expect(made.status == 201)
        #expect(try await replica.send(.post, "/sync?wait=true").status == 200)
        let there = try await hub.send(.get, "/classes/Holiday").json.object?["results"]?.array?.first?.object
        let response = try await get(there?["image"]?.object?["url"])
        #expect(response.body == content)
        #expect(response.headers[.contentType] == "image/png")
        #expect(drafts(directories[0]).isEmpty && drafts(directories[1]).isEmpty)
        // The replica serves its copy of the file. The URL of its earlier name redirects.
        #expect(hub.end(SIGTERM) == 0)
        let here = try await replica.send(.get, "/classes/Holiday").json.object?["results"]?.array?.first?.object
        #expect(try await get(here?["image"]?.object?["url"]).body == content)
        #expect(try await get(file.object?["url"]).status == .found)
    }

    @Test func aBase64UploadIsDecodedInPieces() async throws {
        let daemon = try await Daemon(directories[0])
        let content = Self.content(3_000_001)
        let body: JSONObject = [
            "base64": .string(Data(content).base64EncodedString()), "_ContentType": "image/png",
            "_ApplicationId": "app",
        ]
        let file = try file(try await upload(body.jsonBytes, to: daemon, [.contentType: "text/plain"]))
        #expect(try await get(file.object?["url"]).body == content)
    }

    @Test func anInterruptedUploadLeavesNoFile() async throws {
        let daemon = try await Daemon(directories[0])
        let port = try #require(URL(string: daemon.url)?.port)
        let half = try HalfUpload(port: port, announced: 1_000_000, sent: Self.content(500_000))
        half.close()
        // The server handles the end of a connection before it accepts the next request, so the interrupted upload is
        // deleted by then.
        let file = try file(try await upload(Self.content(10), to: daemon))
        #expect(try await get(file.object?["url"]).status == .ok)
        #expect(daemon.end(SIGTERM) == 0)
        #expect(drafts(directories[0]).isEmpty)
    }

    @Test func aFileOverTheSizeLimitIsRefusedAndNotKept() async throws {
        let daemon = try await Daemon(directories[0], ["--file-bytes-max", "100000"])
        let response = try await upload(Self.content(200_000), to: daemon)
        #expect(response.status == .contentTooLarge)
        #expect(try await upload(Self.content(100_000), to: daemon).status == .created)
        #expect(drafts(directories[0]).isEmpty)
    }

    @Test func uploadOnAFullDiskIsRefusedAndTheGatewayContinues() async throws {
        let daemon = try await Daemon(directories[0], fileBytesMax: 2 << 20)
        let response = try await upload(Self.content(3 << 20), to: daemon)
        #expect(response.status.code == 507)
        let small = Self.content(1 << 20)
        let file = try file(try await upload(small, to: daemon))
        #expect(try await get(file.object?["url"]).body == small)
        #expect(drafts(directories[0]).isEmpty)
    }

    @Test func acknowledgedUploadSurvivesAKill() async throws {
        let daemon = try await Daemon(directories[0])
        let content = Self.content(100_000)
        let file = try file(try await upload(content, to: daemon))
        #expect(daemon.end(SIGKILL) == SIGKILL)
        let again = try await Daemon(directories[0])
        let name = file.object?["name"]?.string ?? ""
        #expect(try await get(.string("\(again.url)/files/app/\(name)")).body == content)
    }
}

/// An upload that announces more bytes than it sends.
private struct HalfUpload {
    private let descriptor: Int32

    init(port: Int, announced: Int, sent: [UInt8]) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
        let head = "POST /files/half.png HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(announced)\r\n\r\n"
        for var rest in [Array(head.utf8)[...], sent[...]] {
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
                guard count > 0 else { throw POSIXError(.EPIPE) }
                rest = rest.dropFirst(count)
            }
        }
    }

    func close() { _ = Foundation.close(descriptor) }
}
