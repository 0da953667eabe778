import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import Testing

@testable import Gateway

/// Tests uploads to a gateway that requires an access key.
@Suite("Uploads to a gateway with an access key")
struct LockedUploadTests {
    private let directory: TemporaryDirectory
    private let hub: Hub

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: TestClock(), accessKey: "the key")
    }

    private func head(_ headers: HTTPFields) -> HTTPServerRequest {
        var headers = headers
        headers[.hostName] = "localhost:1338"
        return HTTPServerRequest(method: .post, path: "/files/a.bin", headers: headers)
    }

    private static let application = HTTPField.Name("X-Parse-Application-Id")!
    private static let accessKey = HTTPField.Name("X-Tidegate-Access-Key")!

    @Test func uploadThatCannotContainAnAccessKeyIsRefusedBeforeItsBody() throws {
        guard case .refused(let response) = hub.api.bodyPlace(for: head([Self.application: "app"])) else {
            Issue.record("the body is taken")
            return
        }
        #expect(response.status == .forbidden)
        #expect(response.text == #"{"error":"unauthorized"}"#)
        guard case .refused = hub.api.bodyPlace(for: head([Self.application: "app", Self.accessKey: "wrong"])) else {
            Issue.record("the body is taken with a wrong key")
            return
        }
    }

    @Test func uploadWithTheAccessKeyInAHeaderIsWrittenToDisk() throws {
        guard case .sink = hub.api.bodyPlace(for: head([Self.accessKey: "the key"])) else {
            Issue.record("the body is not taken")
            return
        }
    }

    /// The JavaScript SDK has its keys and its session in the body, even if the gateway requires none.
    @Test func uploadWrittenToDiskHasTheKeysAndTheSessionOfItsBody() async throws {
        let directory = try TemporaryDirectory()
        let hub = try Hub(directory, clock: TestClock(), keys: ClientKeys(masterKey: "master"))
        func upload(_ members: String) async throws -> HTTPServerResponse {
            var request = head([:])
            guard case .sink(let sink) = hub.api.bodyPlace(for: request) else {
                throw try #require(nil as (any Error)?, "the body is not written to disk")
            }
            let body = #"{"base64":"bWVvdw==","fileData":{"directory":"cats"},"_ApplicationId":"app"\#(members)}"#
            try Array(body.utf8).withUnsafeBytes { try sink.write($0) }
            request.sink = sink
            return await hub.api.handle(request).response()
        }
        let stored = try await upload(#","_MasterKey":"master""#)
        #expect(try stored.json["name"]?.string?.hasPrefix("cats/") == true, "\(stored.text)")
        #expect(try await upload("").json["code"] == 119)
        #expect(try await upload(#","_SessionToken":"r:unknown""#).json["code"] == 209)
    }

    @Test func uploadWithTheAccessKeyInItsBodyStaysInMemoryUntilTheCheck() async throws {
        guard case .memory(let bytesMax) = hub.api.bodyPlace(for: head([:])) else {
            Issue.record("the body goes elsewhere")
            return
        }
        #expect(try #require(bytesMax) > 20 << 20)
        // A file in the place of the uploads' directory makes every upload fail that writes to disk.
        let files = directory.path + "/files"
        #expect(FileManager.default.createFile(atPath: files, contents: nil))
        for key in ["", #","_JavaScriptKey":"wrong""#] {
            var request = head([:])
            request.body = Array(#"{"base64":"bWVvdw==","_ApplicationId":"app"\#(key)}"#.utf8)
            #expect(await hub.api.handle(request).response().status == .forbidden)
            request.body = Array("meow".utf8)
            #expect(await hub.api.handle(request).response().status == .forbidden)
        }
        var request = head([:])
        request.body = Array(#"{"base64":"bWVvdw==","_ApplicationId":"app","_JavaScriptKey":"the key"}"#.utf8)
        #expect(await hub.api.handle(request).response().status == .internalServerError)
        try FileManager.default.removeItem(atPath: files)
        #expect(await hub.api.handle(request).response().status == .created)
    }
}
