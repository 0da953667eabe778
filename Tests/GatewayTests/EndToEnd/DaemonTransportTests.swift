import Foundation
import HTTPClient
import HTTPTypes
import ParseModel
import Testing

/// Tests the HTTP transport of running gateways: forwarded calls, keys and compression.
@Suite("SDK requests to daemons", .serialized)
struct DaemonTransportTests {
    private func ask(
        _ method: HTTPRequest.Method, _ url: String, _ headers: HTTPFields = [:], _ body: String = ""
    ) async throws -> HTTPClientResponse {
        try await CurlTransport(configuration: .init()).send(
            HTTPClientRequest(method: method, url: url, headers: headers, body: Array(body.utf8), isRepeatable: false))
    }

    @Test func forwardedCallsReachTheRemoteWhileItIsReachable() async throws {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try await Daemon(directories[0], ["--local-master-key", "theirs"])
        let replica = try await Daemon.replica(of: hub.url, directories[1], ["--people", "off"])
        let function = try await replica.send(.post, "/functions/nope", [:])
        #expect(function.status == 400)
        #expect(function.json == ["code": 141, "error": #"Invalid function: "nope""#])

        let key = HTTPField.Name("X-Parse-Master-Key")!
        let change = #"{"params":{"welcome":"Hi"}}"#
        #expect(try await ask(.put, replica.url + "/config", [key: "wrong"], change).status == .forbidden)
        #expect(try await ask(.put, replica.url + "/config", [key: "theirs"], change).status == .ok)
        #expect(try await hub.send(.get, "/config").json.object?["params"] == ["welcome": "Hi"])
        #expect(try await replica.send(.get, "/config").json.object?["params"] == ["welcome": "Hi"])

        #expect(try await replica.send(.post, "/sync/pause").status == 200)
        #expect(try await replica.send(.post, "/functions/nope", [:]).status == 503)
        #expect(try await replica.send(.post, "/sync/resume").status == 200)
        #expect(hub.end(SIGTERM) == 0)
        let offline = try await replica.send(.post, "/functions/nope", [:])
        #expect(offline.status == 503)
        #expect(offline.json.object?["code"] == 100)
    }

    @Test func masterKeyFileInTheDataDirectoryIsUsedAndKept() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try await Daemon(directory)
        let key = try String(contentsOfFile: directory.path + "/master-key", encoding: .utf8).dropLast()
        let name = HTTPField.Name("X-Parse-Master-Key")!
        #expect(try await ask(.get, daemon.url + "/serverInfo").status == .forbidden)
        #expect(try await ask(.get, daemon.url + "/serverInfo", [name: String(key)]).status == .ok)
        #expect(daemon.end(SIGTERM) == 0)
        let again = try await Daemon(directory)
        #expect(try await ask(.get, again.url + "/serverInfo", [name: String(key)]).status == .ok)
    }

    @Test func largeListsAreCompressedAndUnchangedOnesNotSentAgain() async throws {
        let daemon = try await Daemon(try TemporaryDirectory())
        for i in 0..<60 {
            _ = try await daemon.create(["name": .string("Holiday \(i)"), "details": "All the same words"])
        }
        let list = daemon.url + "/classes/Holiday"
        // libcurl asks for a compressed answer and decompresses it, so the test sees the plain text.
        let packed = try await ask(.get, list)
        #expect(packed.headers[.vary] == "Accept-Encoding")
        #expect(try JSONReader.read(packed.body).object?["results"]?.array?.count == 60)
        let plain = try await ask(.get, list, [.acceptEncoding: "identity"])
        #expect(plain.body == packed.body)
        let tag = try #require(packed.headers[.eTag])
        #expect(plain.headers[.eTag] == tag)
        let again = try await ask(.get, list, [.ifNoneMatch: tag])
        #expect(again.status == .notModified)
        #expect(again.body.isEmpty)
        let head = try await ask(.head, list)
        #expect(head.status == .ok)
        #expect(head.headers[.eTag] == tag)
    }
}
