import HTTPClient
import HTTPServer
import HTTPTypes
import Synchronization
import Testing

@Suite("Streamed responses", .timeLimit(.minutes(5)))
struct StreamAnswerTests {
    /// A stream of the pieces that a test adds.
    final class QueueStream: HTTPBodyStream {
        private struct State {
            var waiting: [HTTPBodyPiece] = []
            var wake: @Sendable () -> Void = {}
            var pulls = 0
            var closed = 0
        }
        private let state = Mutex(State())
        let isClosed = Gate()
        let hasBegun = Gate()

        var closings: Int { state.withLock { $0.closed } }
        var pulls: Int { state.withLock { $0.pulls } }

        init(_ pieces: [HTTPBodyPiece] = []) { state.withLock { $0.waiting = pieces } }

        func put(_ piece: HTTPBodyPiece) {
            let wake = state.withLock { state in
                state.waiting.append(piece)
                return state.wake
            }
            wake()
        }

        func put(_ text: String) { put(.bytes(Array(text.utf8))) }
        func wake() { state.withLock { $0.wake }() }

        func next() -> HTTPBodyPiece {
            hasBegun.open()
            return state.withLock { state in
                state.pulls += 1
                return state.waiting.isEmpty ? .wait : state.waiting.removeFirst()
            }
        }

        func setWaker(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

        func closed() {
            state.withLock { $0.closed += 1 }
            isClosed.open()
        }
    }

    /// A stream without an end.
    private final class EndlessStream: HTTPBodyStream {
        let isClosed = Gate()

        func next() -> HTTPBodyPiece { .bytes([UInt8](repeating: 97, count: 100_000)) }
        func setWaker(_ wake: @escaping @Sendable () -> Void) {}
        func closed() { isClosed.open() }
    }

    private let stream = QueueStream()

    private static func response(_ stream: any HTTPBodyStream) -> HTTPServerResponse {
        HTTPServerResponse(status: .ok, headers: [.contentType: "text/event-stream"], content: .stream(stream))
    }

    private func server() throws -> HTTPServer {
        try HTTPServer.make { [stream] request in
            request.path == "/" ? .now(Self.response(stream)) : .later { Self.response(stream) }
        }
    }

    private func connect(_ server: HTTPServer, _ path: String = "/") throws -> RawConnection {
        let connection = try RawConnection(port: server.port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        return connection
    }

    @Test(arguments: ["/", "/later"])
    func piecesOfAStreamArriveAsTheyAreMade(path: String) async throws {
        let server = try server()
        let connection = try connect(server, path)
        #expect(await connection.receive(until: "\r\n\r\n").contains("Transfer-Encoding: chunked"))
        for text in ["one", "two", "three"] {
            stream.put(text)
            #expect(await connection.receive(until: text).contains(text))
        }
        stream.put(.end)
        #expect(await connection.receive(until: "0\r\n\r\n") == "0\r\n\r\n")
        await stream.isClosed.pass()
        await server.stop()
        stream.wake()
        #expect(stream.closings == 1)
    }

    @Test func longPiecesOfAStreamArriveWhole() async throws {
        let pieces = (0..<40).map { [UInt8](repeating: UInt8(97 + $0 % 26), count: $0 * 1777) }
        let stream = QueueStream(pieces.map(HTTPBodyPiece.bytes) + [.end])
        let server = try HTTPServer.make { _ in .now(Self.response(stream)) }
        let response = try await CurlTransport().send(
            HTTPClientRequest(method: .get, url: server.url("/"), isRepeatable: true))
        #expect(response.body == pieces.flatMap { $0 })
        await server.stop()
    }

    @Test func aConnectionServesTheNextRequestAfterAStream() async throws {
        let streams = Mutex(0)
        let server = try HTTPServer.make { _ in
            let number = streams.withLock { count in
                count += 1
                return count
            }
            return .now(Self.response(QueueStream([.bytes(Array("stream \(number)".utf8)), .end])))
        }
        let connection = try connect(server)
        #expect(await connection.receive(until: "0\r\n\r\n").contains("stream 1"))
        connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await connection.receive(until: "0\r\n\r\n").contains("stream 2"))
        await server.stop()
    }

    @Test func aHeadRequestReadsNothingFromTheStream() async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        connection.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(await connection.receiveAll().hasSuffix("\r\n\r\n"))
        await stream.isClosed.pass()
        #expect(stream.pulls == 0)
        await server.stop()
    }

    @Test func disconnectedClientClosesItsStream() async throws {
        let server = try server()
        var connection: RawConnection? = try connect(server)
        await stream.hasBegun.pass()
        connection = nil
        // Only a write detects a closed connection, and the first write can still succeed.
        let writing = Task {
            while !Task.isCancelled {
                stream.put(": \n\n")
                await Task.yield()
            }
        }
        await stream.isClosed.pass()
        writing.cancel()
        await server.stop()
        #expect(stream.closings == 1)
        #expect(connection == nil)
    }

    @Test func stopEndsWaitingStreams() async throws {
        let server = try server()
        let connection = try connect(server)
        await stream.hasBegun.pass()
        await server.stop()
        #expect(await connection.receiveAll().hasSuffix("\r\n0\r\n\r\n"))
        #expect(stream.closings == 1)
        stream.put("too late")
    }

    /// Unread pieces block the end of the stream.
    @Test func stopDoesNotWaitForAStalledReader() async throws {
        let stream = EndlessStream()
        let server = try HTTPServer.make { _ in .now(Self.response(stream)) }
        let connection = try connect(server)
        #expect(await connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        await server.stop()
        await stream.isClosed.pass()
        _ = connection
    }

    @Test func twoHundredStreamsReceiveEveryPiece() async throws {
        let streams = (0..<200).map { _ in QueueStream() }
        let server = try HTTPServer.make { request in
            .now(Self.response(streams[Int(request.path.dropFirst()) ?? 0]))
        }
        await withTaskGroup { group in
            for (number, stream) in streams.enumerated() {
                group.addTask {
                    let url = server.url("/\(number)")
                    let client = CurlTransport(configuration: .init(transfersMax: 1))
                    let request = HTTPClientRequest(method: .get, url: url, isRepeatable: true)
                    let text = try? await client.send(request).text
                    #expect(text == (0..<100).map { "\($0)\n" }.joined())
                }
                group.addTask {
                    await stream.hasBegun.pass()
                    for event in 0..<100 {
                        stream.put("\(event)\n")
                        if event % 10 == number % 10 { await Task.yield() }
                    }
                    stream.put(.end)
                }
            }
        }
        await server.stop()
        #expect(streams.allSatisfy { $0.closings == 1 })
    }
}
