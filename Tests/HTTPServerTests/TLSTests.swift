import Foundation
import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5)))
struct TLSTests {
    private let fixture: CertificateFixture

    init() throws { fixture = try CertificateFixture() }

    private func server(
        connectionsMax: Int = 1024, _ handle: @escaping @Sendable (HTTPServerRequest) -> HTTPReply
    ) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration(threads: 2, connectionsMax: connectionsMax)
        configuration.certificate = try fixture.certificate()
        return try HTTPServer.make(configuration, handle)
    }

    private func request(_ server: HTTPServer, body: [UInt8] = []) -> HTTPClientRequest {
        HTTPClientRequest(
            method: .post, url: "https://127.0.0.1:\(server.port)/echo?a=b", body: body, isRepeatable: false)
    }

    @Test func aRequestOverTLSIsAnsweredAndKnowsItsScheme() async throws {
        let server = try server { .now(.text("\($0.scheme) \($0.peer.isLoopback) \($0.body.count)")) }
        let client = CurlTransport(configuration: .init(caBundle: fixture.certificatePath))
        for size in [0, 10, 3 << 20] {
            let answer = try await client.send(request(server, body: [UInt8](repeating: 1, count: size)))
            #expect(answer.text == "https true \(size)")
        }
        await server.stop()
    }

    @Test func aLongAnswerArrivesWhole() async throws {
        let bytes = (0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let server = try server { _ in .now(HTTPServerResponse(status: .ok, body: bytes)) }
        let client = CurlTransport(configuration: .init(caBundle: fixture.certificatePath))
        #expect(try await client.send(request(server)).body == bytes)
        await server.stop()
    }

    @Test func theServerPassesOnlyTheRightAuthorityOrTheRightPublicKey() async throws {
        let server = try server { _ in .now(.text("hello")) }
        let (own, other) = (try fixture.certificate(), try CertificateFixture().certificate())
        let pinned = CurlTransport(configuration: .init(publicKeyPin: own.publicKeyPin))
        #expect(try await pinned.send(request(server)).text == "hello")
        for wrong in [
            CurlTransport.Configuration(), CurlTransport.Configuration(publicKeyPin: other.publicKeyPin),
        ] {
            await #expect(throws: HTTPTransportError.self) {
                _ = try await CurlTransport(configuration: wrong).send(request(server))
            }
        }
        await server.stop()
    }

    @Test func connectionsAfterAChangeUseTheOtherCertificate() async throws {
        let server = try server { _ in .now(.text("hello")) }
        let first = CurlTransport(
            configuration: .init(publicKeyPin: try fixture.certificate().publicKeyPin, idleConnectionMax: .seconds(60)))
        #expect(try await first.send(request(server)).text == "hello")
        try fixture.renew()
        let next = try fixture.certificate()
        server.change(to: next)
        let second = CurlTransport(configuration: .init(publicKeyPin: next.publicKeyPin))
        #expect(try await second.send(request(server)).text == "hello")
        let third = CurlTransport(configuration: .init(caBundle: fixture.certificatePath))
        #expect(try await third.send(request(server)).text == "hello")
        await #expect(throws: HTTPTransportError.self) { _ = try await first.send(request(server)) }
        await server.stop()
    }

    @Test func aKeyOfAnotherCertificateIsRefused() throws {
        let other = try CertificateFixture()
        let (chain, key) = (try fixture.chain, try fixture.privateKey)
        let error = #expect(throws: ServerCertificateError.self) {
            _ = try ServerCertificate(chain: chain, privateKey: try other.privateKey)
        }
        #expect(error?.description == "the key does not belong to the certificate")
        for (chain, key) in [(Array("hello".utf8), key), (chain, Array("hello".utf8)), ([], [])] {
            #expect(throws: ServerCertificateError.self) { _ = try ServerCertificate(chain: chain, privateKey: key) }
        }
    }

    @Test func unfinishedHandshakesMakeRoomForOtherClients() async throws {
        let server = try server(connectionsMax: 8) { _ in .now(.text("hello")) }
        // The first byte of a handshake, and no more.
        let stalled = try (0..<40).map { _ in try RawConnection(port: server.port) }
        for connection in stalled { connection.send([0x16]) }
        let client = CurlTransport(configuration: .init(caBundle: fixture.certificatePath))
        #expect(try await client.send(request(server)).text == "hello")
        withExtendedLifetime(stalled) {}
        await server.stop()
    }

    @Test func plainHTTPToAPortWithTLSIsNotAnswered() async throws {
        let server = try server { _ in .now(.text("hello")) }
        let connection = try RawConnection(port: server.port)
        connection.send(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        var received: [UInt8] = []
        while let bytes = await connection.receiveBytes() { received += bytes }
        #expect(!String(decoding: received, as: UTF8.self).contains("HTTP/1.1"))
        await server.stop()
    }
}
