import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import Synchronization
import Testing

/// A live query client without a socket. It keeps what the gateway sends.
final class LiveProbe: Sendable {
    private struct State {
        var messages: [JSONObject] = []
        var pings: [[UInt8]] = []
        var isDropped = false
        var unsentBytes = 0
        var unsentBytesMost = 0
        var isReading = true
        var waiters: [(isEnough: @Sendable ([JSONObject], Bool) -> Bool, resume: CheckedContinuation<Void, Never>)] =
            []
    }

    private let state = Mutex(State())
    /// The gateway's side of the connection.
    let handler: any WebSocketHandler
    private let api: GatewayAPI
    /// Whether the client answers pings.
    private let answersPings: Bool

    /// Opens a connection.
    init(
        to api: GatewayAPI, path: String = "/parse", headers: HTTPFields = [:], answersPings: Bool = true
    ) async throws {
        self.answersPings = answersPings
        self.api = api
        let response = await Self.open(api, path, headers)
        guard case .webSocket(let handler) = response.content else {
            throw try #require(nil as (any Error)?, "no WebSocket: \(response.status)")
        }
        self.handler = handler
        handler.opened(
            WebSocket(
                sink: { [weak self] in self?.take($0) }, unsentBytes: { [weak self] in self?.unsentBytes ?? 0 }))
    }

    /// The response to the request for a WebSocket.
    static func open(_ api: GatewayAPI, _ path: String, _ headers: HTTPFields = [:]) async -> HTTPServerResponse {
        var all: HTTPFields = [
            HTTPField.Name("Host")!: "127.0.0.1:1338", .connection: "Upgrade", .upgrade: "websocket",
            HTTPField.Name("Sec-WebSocket-Version")!: "13",
            HTTPField.Name("Sec-WebSocket-Key")!: "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        for field in headers { all[field.name] = field.value }
        return await api.handle(HTTPServerRequest(method: .get, path: path, headers: all)).response()
    }

    /// Opens a connection and connects.
    static func connected(
        to api: GatewayAPI, _ members: JSONObject = [:], answersPings: Bool = true
    ) async throws -> LiveProbe {
        let probe = try await LiveProbe(to: api, answersPings: answersPings)
        var message: JSONObject = ["op": "connect", "applicationId": "app"]
        for (key, value) in members.members { message[key] = value }
        probe.send(message)
        _ = try await probe.message("connected")
        return probe
    }

    // MARK: The client's side

    func send(_ message: JSONObject) { handler.received(message.jsonBytes) }
    func send(text: String) { handler.received(Array(text.utf8)) }

    /// Sends a message of the operation `subscribe`, and waits for the answer.
    @discardableResult
    func subscribe(_ id: Int, _ query: JSONObject, _ members: JSONObject = [:]) async throws -> JSONObject {
        let count = messages.count
        var message: JSONObject = ["op": "subscribe", "requestId": .int(id), "query": .object(query)]
        for (key, value) in members.members { message[key] = value }
        send(message)
        return try await self.message(after: count) {
            $0["requestId"] == .int(id) && ["subscribed", "error"].contains($0["op"]?.string)
        }
    }

    /// Closes the connection without a word, as a killed client does.
    func vanish() { handler.closed() }

    /// Lets the gateway believe that bytes are unsent.
    func stall(_ bytes: Int) { state.withLock { $0.unsentBytes = bytes } }

    /// Lets all further messages be unsent until `drain`.
    func stopReading() { state.withLock { $0.isReading = false } }

    /// Sends everything that is unsent.
    func drain() {
        stall(0)
        handler.drained()
    }

    /// Receives a regular ping.
    func ping() { take(.ping(handler.pingPayload())) }

    /// Answers a ping.
    func answer(_ ping: [UInt8]) { handler.ponged(ping) }

    // MARK: What has arrived

    var unsentBytes: Int { state.withLock { $0.unsentBytes } }
    /// The largest number of bytes that have been unsent.
    var unsentBytesMost: Int { state.withLock { $0.unsentBytesMost } }
    var messages: [JSONObject] { state.withLock { $0.messages } }
    var isDropped: Bool { state.withLock { $0.isDropped } }
    var pings: [[UInt8]] { state.withLock { $0.pings } }

    /// The events in short: `create 1 n=4`, with the operation, the request id and the field `n` of the object and the original.
    var events: [String] { messages.compactMap(Self.short) }

    static func short(_ message: JSONObject) -> String? {
        guard let operation = message["op"]?.string, let object = message["object"]?.object else { return nil }
        let original = message["original"]?.object.map { " was \($0["n"]?.jsonText ?? "-")" } ?? ""
        return "\(operation) \(message["requestId"]?.jsonText ?? "-") \(object["n"]?.jsonText ?? "-")\(original)"
    }

    /// Waits for a number of events.
    func events(_ count: Int) async throws -> [String] {
        await wait { messages, _ in messages.count { Self.short($0) != nil } >= count }
        return events
    }

    /// Waits for a message with an operation.
    func message(_ operation: String) async throws -> JSONObject {
        try await message(after: 0) { $0["op"]?.string == operation }
    }

    func message(
        after count: Int, _ isWanted: @escaping @Sendable (JSONObject) -> Bool
    ) async throws -> JSONObject {
        await wait { messages, _ in messages.dropFirst(count).contains(where: isWanted) }
        return try #require(messages.dropFirst(count).first(where: isWanted))
    }

    func dropped() async { await wait { _, isDropped in isDropped } }

    private func wait(_ isEnough: @escaping @Sendable ([JSONObject], Bool) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if isEnough(state.messages, state.isDropped) { return true }
                state.waiters.append((isEnough, continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    private func take(_ output: WebSocketOutput) {
        let ready = state.withLock { state in
            switch output {
            case .text(let bytes):
                state.messages.append((try? JSONReader.read(bytes).object) ?? ["unreadable": true])
                if !state.isReading { state.unsentBytes += bytes.count }
                state.unsentBytesMost = max(state.unsentBytesMost, state.unsentBytes)
            case .ping(let payload): state.pings.append(payload)
            case .drop, .close: state.isDropped = true
            case .handled: break
            }
            let ready = state.waiters.filter { $0.isEnough(state.messages, state.isDropped) }
            state.waiters.removeAll { $0.isEnough(state.messages, state.isDropped) }
            return ready
        }
        for waiter in ready { waiter.resume.resume() }
        if case .ping(let payload) = output, answersPings { handler.ponged(payload) }
    }
}
