import HTTPClient
import HTTPTypes
import ParseModel
import Testing

@testable import Gateway

struct GatewayClientTests {
    @Test func statusCommandSendsTheAccessKey() async throws {
        let client = client(accessKey: "k") { request in
            #expect(request.method == .get)
            #expect(request.url == "http://gate/sync")
            #expect(HTTPField.Name("X-Tidegate-Access-Key").map { request.headers[$0] } == "k")
            return .success(HTTPClientResponse(status: .ok, body: Array(#"{"state":"idle"}"#.utf8)))
        }
        #expect(try await client.status() == ["state": "idle"])
    }

    @Test func syncCommandSendsOneRequestAndWaits() async throws {
        let client = client { request in
            #expect(request.method == .post)
            #expect(request.url == "http://gate/sync?wait=true")
            #expect(!request.isRepeatable)
            return .success(HTTPClientResponse(status: .ok, body: Array(#"{"pulled":3}"#.utf8)))
        }
        #expect(try await client.sync() == ["pulled": 3])
    }

    @Test func syncCommandDoesNotReportABrokenConnectionAsAFailedSync() async throws {
        let client = client { _ in .failure(.outcomeUnknown(reason: "time-out")) }
        #expect(try await client.sync() == nil)
        await #expect(throws: GatewayClientError.interrupted(url: "http://gate", reason: "time-out")) {
            try await client.status()
        }
    }

    @Test func unreachableGatewayIsReportedWithItsAddress() async {
        let client = client { _ in .failure(.notSent(reason: "connection refused")) }
        let error = await #expect(throws: GatewayClientError.self) { try await client.sync() }
        #expect(error?.description.contains("no gateway responds at http://gate (connection refused)") == true)
    }

    @Test func errorTextsOfTheGatewayAreShownUnchanged() async {
        let body = Array(#"{"code":100,"error":"the remote cannot be reached"}"#.utf8)
        let client = client { _ in .success(HTTPClientResponse(status: .serviceUnavailable, body: body)) }
        let error = await #expect(throws: GatewayClientError.self) { try await client.sync() }
        #expect(error?.description == "the remote cannot be reached")
    }

    @Test(arguments: [
        (#"{"error":"unauthorized"}"#, true), (#"{"error":"a later wording"}"#, true),
        (#"{"code":119,"error":"unauthorized"}"#, false),
    ])
    func a403WithoutACodeIsReportedAsAMissingAccessKey(body: String, isLocked: Bool) async {
        let client = client { _ in .success(HTTPClientResponse(status: .forbidden, body: Array(body.utf8))) }
        let error = await #expect(throws: GatewayClientError.self) { try await client.status() }
        #expect(error?.description.contains("TIDEGATE_ACCESS_KEY") == isLocked)
    }

    @Test(arguments: ["<html>", "[]", ""])
    func serverOtherThanTidegateIsReportedAsNoGateway(body: String) async {
        let client = client { _ in .success(HTTPClientResponse(status: .ok, body: Array(body.utf8))) }
        await #expect(throws: GatewayClientError.notAGateway(url: "http://gate")) { try await client.status() }
    }

    /// A proxy may log request paths, so the path contains the user's id and not the name.
    @Test func forgetCommandSendsTheUsersIdInsteadOfTheName() async throws {
        let client = client { request in
            if request.url == "http://gate/sync/users" {
                let users = #"{"results":[{"objectId":"b1","username":"bobby"},{"objectId":"bobby","username":"eve"}]}"#
                return .success(HTTPClientResponse(status: .ok, body: Array(users.utf8)))
            }
            let id = request.url.split(separator: "/").last.map(String.init) ?? ""
            return .success(HTTPClientResponse(status: .ok, body: Array(#"{"objectId":"\#(id)"}"#.utf8)))
        }
        let spaces = RunningSpaces(client)
        #expect(try await spaces.forget("eve", exported: nil).objectId == "bobby")
        // If the argument is the id of one user and the name of another, the id wins.
        #expect(try await spaces.forget("bobby", exported: nil).objectId == "bobby")
        #expect(try await spaces.forget("b1", exported: nil).objectId == "b1")
        #expect(try await spaces.forget("nobody", exported: nil).objectId == "nobody")
    }

    private func client(
        accessKey: String? = nil,
        _ answer: @escaping @Sendable (HTTPClientRequest) -> Result<HTTPClientResponse, HTTPTransportError>
    ) -> GatewayClient {
        GatewayClient(
            url: "http://gate", credentials: GatewayCredentials(accessKey: accessKey),
            transport: FakeTransport(answer: answer))
    }
}

private struct FakeTransport: HTTPTransport {
    let answer: @Sendable (HTTPClientRequest) -> Result<HTTPClientResponse, HTTPTransportError>

    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        try answer(request).get()
    }
}
