import HTTPClient
import ParseModel
import Testing

/// A live query client with a socket.
final class LiveSocket {
    private let socket: WebSocketClient
    private var messages: WebSocketClient.Messages.Iterator

    /// Connects with a session.
    init(_ daemon: Daemon, token: String) async throws {
        socket = try await WebSocketClient.connect(
            HTTPClientRequest(method: .get, url: daemon.url + "/parse", isRepeatable: true), messageBytesMax: 1 << 20,
            sources: .init(sleep: { try await Task.sleep(for: $0) }) { count in
                (0..<count).map { _ in UInt8.random(in: 0...255) }
            })
        messages = socket.messages.makeAsyncIterator()
        send(["op": "connect", "applicationId": "demo", "sessionToken": .string(token)])
        #expect(try await next()["op"] == "connected")
    }

    func send(_ message: JSONObject) { socket.send(message.jsonBytes) }

    /// The next message.
    func next() async throws -> JSONObject {
        let bytes = await messages.next()
        let message = try JSONReader.read(try #require(bytes, "the WebSocket has ended"))
        return try #require(message.object)
    }

    func subscribe(_ className: String) async throws {
        send(["op": "subscribe", "requestId": 1, "query": ["className": .string(className), "where": [:]]])
        #expect(try await next()["op"] == "subscribed")
    }

    /// The next event in short: `create first`, with the operation and the field `text`. For an error, its code.
    func event() async throws -> String {
        let message = try await next()
        let text = message["object"]?.object?["text"]?.string ?? message["code"]?.jsonText
        return "\(message["op"]?.string ?? "") \(text ?? "")"
    }

    /// The texts of the objects that match the subscription now. Skips events.
    func find() async throws -> [String] {
        send(["op": "query", "requestId": 1])
        var answer = try await next()
        while answer["op"] != "result" { answer = try await next() }
        let results = try #require(answer["results"]?.array)
        return results.compactMap { $0.object?["text"]?.string }.sorted()
    }
}
