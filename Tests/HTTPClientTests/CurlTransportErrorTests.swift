import Foundation
import HTTPClient
import HTTPTypes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CurlTransportErrorTests {
    private let client = CurlTransport()

    @Test func refusedConnectionMeansThatNothingWasSent() async throws {
        let port = try RawServer.closedPort()
        #expect(await outcome(.post("http://127.0.0.1:\(port)/")) == .notSent)
    }

    @Test(arguments: ["http://nowhere.invalid/", "http://a b/", "", "ftp://127.0.0.1/", "file:///etc/hostname"])
    func unusableAddressMeansThatNothingWasSent(url: String) async throws {
        let client = CurlTransport(configuration: .init(connectTimeout: .seconds(3)))
        #expect(await outcome(.post(url), client) == .notSent)
    }

    @Test func failedTLSHandshakeMeansThatNothingWasSent() async throws {
        let server = try RawServer { peer in
            _ = peer.receive()
            peer.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        defer { server.close() }
        #expect(await outcome(.post(server.url("/", scheme: "https"))) == .notSent)
    }

    @Test func tlsHandshakeTimeoutMeansThatNothingWasSent() async throws {
        let server = try RawServer { while $0.receive() != nil {} }
        defer { server.close() }
        let client = CurlTransport(configuration: .init(requestTimeout: .milliseconds(50)))
        #expect(await outcome(.post(server.url("/", scheme: "https")), client) == .notSent)
    }

    @Test func timeoutAfterSendingMeansAnUnknownOutcome() async throws {
        let server = try RawServer { while $0.receive() != nil {} }
        defer { server.close() }
        let client = CurlTransport(configuration: .init(requestTimeout: .milliseconds(50)))
        #expect(await outcome(.post(server.url("/")), client) == .unknown)
    }

    @Test func endlessResponseHasNoTimeLimit() async throws {
        let (timedOut, timeOut) = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        let server = try RawServer { peer in
            guard let request = peer.receiveRequest(), request.hasPrefix("GET /endless") else {
                while peer.receive() != nil {}
                return
            }
            peer.send("HTTP/1.1 200 OK\r\n\r\nfirst ")
            timeOut.yield()
            gate.wait()
            peer.send("last")
        }
        defer { server.close() }
        let client = CurlTransport(
            configuration: .init(requestTimeout: .milliseconds(50), transferTimeout: .milliseconds(50)))
        var endless = HTTPClientRequest(method: .get, url: server.url("/endless"), isRepeatable: true)
        endless.isEndless = true
        let received = Mutex<[UInt8]>([])
        async let response = client.send(endless) { bytes in
            received.withLock { $0 += bytes }
            return true
        }
        for await _ in timedOut { break }
        // A request that is sent later exceeds its time limit.
        #expect(await outcome(.post(server.url("/")), client) == .unknown)
        gate.signal()
        #expect(try await response.status == .ok)
        #expect(String(decoding: received.withLock { $0 }, as: UTF8.self) == "first last")
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Len", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{\"a\":1",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n{\"a\":1",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "<html>hello</html>\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func malformedResponseMeansAnUnknownOutcome(answer: String) async throws {
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            peer.send(answer)
        }
        defer { server.close() }
        #expect(await outcome(.post(server.url("/"))) == .unknown)
        #expect(server.connections == 1)
    }

    @Test func responseOverTheSizeLimitIsAnError() async throws {
        let server = try RawServer { $0.serve(String(repeating: "a", count: 1001)) }
        defer { server.close() }
        let client = CurlTransport(configuration: .init(responseBytesMax: 1000))
        await #expect(throws: HTTPTransportError.tooLong(reason: "the response is longer than 1000 bytes")) {
            try await client.send(.get(server.url("/")))
        }
        let other = try RawServer { $0.serve(String(repeating: "a", count: 1000)) }
        defer { other.close() }
        #expect(try await client.send(.get(other.url("/"))).body.count == 1000)
    }

    @Test func endlessResponseHeadersMeanAnUnknownOutcome() async throws {
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            peer.send("HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 1001) + "\r\n")
        }
        defer { server.close() }
        #expect(await outcome(.get(server.url("/"))) == .unknown)
    }

    @Test func cancellationAbortsTheTransfer() async throws {
        let (arrived, left) = (Signal(), Signal())
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            arrived.fire()
            while peer.receive() != nil {}
            left.fire()
        }
        defer { server.close() }
        let task = Task { await outcome(.post(server.url("/"))) }
        await arrived.wait()
        task.cancel()
        #expect(await task.value == .unknown)
        await left.wait()
    }

    @Test func requestOfACancelledTaskIsNotSent() async throws {
        let server = try RawServer { $0.serve() }
        defer { server.close() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await outcome(.post(server.url("/")))
        }
        #expect(await task.value == .notSent)
        #expect(server.connections == 0)
    }

    @Test func closeAbortsAllTransfers() async throws {
        let arrived = Signal()
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            arrived.fire()
            while peer.receive() != nil {}
        }
        defer { server.close() }
        async let underWay = outcome(.post(server.url("/")))
        await arrived.wait()
        client.close()
        client.close()
        #expect(await underWay == .unknown)
        #expect(await outcome(.post(server.url("/"))) == .notSent)
        #expect(server.connections == 1)
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 secret-key\r\nsecret-key: a\r\nContent-Length: secret-key\r\n\r\n", "secret-key\r\n\r\n",
    ])
    func errorTextsContainNoSecrets(answer: String) async throws {
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            peer.send(answer)
        }
        defer { server.close() }
        var request = HTTPClientRequest.post(server.url("/secret-key?a=secret-key"))
        request.headers = [.authorization: "secret-key"]
        request.body = Array("secret-key".utf8)
        do {
            _ = try await client.send(request)
            Issue.record("the malformed response was accepted")
        } catch {
            #expect(!"\(error)".contains("secret-key"))
        }
    }

    private enum Outcome { case answered, notSent, unknown }

    private func outcome(_ request: HTTPClientRequest, _ other: CurlTransport? = nil) async -> Outcome {
        do {
            _ = try await (other ?? client).send(request)
            return .answered
        } catch .notSent {
            return .notSent
        } catch {
            return .unknown
        }
    }
}

/// A one-time event that tasks can wait for.
private final class Signal: Sendable {
    private let stream = AsyncStream.makeStream(of: Void.self)

    func fire() {
        stream.continuation.finish()
    }

    func wait() async {
        for await _ in stream.stream {}
    }
}
