import HTTPServer
import Synchronization

/// A handler that records its calls, and answers texts by a closure. It handles each text at once, or when the test asks for it.
final class WebSocketRecorder: WebSocketHandler {
    enum Call: Sendable, Hashable {
        case opened
        case received(String)
        case ponged([UInt8])
        case drained
        case closed
    }

    private struct State {
        var calls: [Call] = []
        var socket: WebSocket?
        var waiting: [(isMet: @Sendable ([Call]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
        var pings: UInt8 = 0
        var isTrusted: Bool
        var unhandled: [[UInt8]] = []
    }
    private let state: Mutex<State>
    private let handlesAtOnce: Bool
    private let answer: @Sendable (WebSocket, [UInt8]) -> Void
    private let greet: @Sendable (WebSocket) -> Void

    init(
        isTrusted: Bool = true, handlesAtOnce: Bool = true, greet: @escaping @Sendable (WebSocket) -> Void = { _ in },
        answer: @escaping @Sendable (WebSocket, [UInt8]) -> Void = { $0.send($1) }
    ) {
        state = Mutex(State(isTrusted: isTrusted))
        self.handlesAtOnce = handlesAtOnce
        self.greet = greet
        self.answer = answer
    }

    var isTrusted: Bool { state.withLock { $0.isTrusted } }

    /// Handles the texts that were received.
    func handle(trustsFromNow isTrusted: Bool? = nil) {
        let texts = state.withLock { state in
            if let isTrusted { state.isTrusted = isTrusted }
            defer { state.unhandled = [] }
            return state.unhandled
        }
        for text in texts { socket?.handled(text) }
    }

    var calls: [Call] { state.withLock { $0.calls } }
    var socket: WebSocket? { state.withLock { $0.socket } }

    /// Waits until the calls meet a condition.
    func wait(until isMet: @escaping @Sendable ([Call]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetNow = state.withLock { state in
                if isMet(state.calls) { return true }
                state.waiting.append((isMet, continuation))
                return false
            }
            if isMetNow { continuation.resume() }
        }
    }

    func wait(for call: Call) async { await wait { $0.contains(call) } }

    private func note(_ call: Call) {
        let met = state.withLock { state in
            state.calls.append(call)
            let met = state.waiting.filter { $0.isMet(state.calls) }.map(\.continuation)
            state.waiting.removeAll { $0.isMet(state.calls) }
            return met
        }
        for continuation in met { continuation.resume() }
    }

    func opened(_ socket: WebSocket) {
        state.withLock { $0.socket = socket }
        greet(socket)
        note(.opened)
    }

    func received(_ text: [UInt8]) {
        // A test that waits for this call may handle the text at once, on another thread.
        state.withLock { $0.unhandled.append(text) }
        note(.received(String(decoding: text.prefix(100), as: UTF8.self)))
        if let socket { answer(socket, text) }
        if handlesAtOnce { handle() }
    }

    func ponged(_ payload: [UInt8]) { note(.ponged(payload)) }

    func pingPayload() -> [UInt8] {
        state.withLock { state in
            state.pings += 1
            return [state.pings]
        }
    }

    func drained() { note(.drained) }
    func closed() { note(.closed) }
}

extension HTTPServer {
    /// A server that opens a WebSocket at `/ws`, and answers other requests with `A`.
    static func webSockets(
        _ configuration: Configuration = Configuration(threads: 2), pings: PingTimes = PingTimes(),
        _ handler: @escaping @Sendable () -> any WebSocketHandler
    ) throws -> HTTPServer {
        let sleep: @Sendable (Duration) async throws -> Void = { try await pings.sleep($0) }
        return try make(configuration, sleep: sleep) { request in
            .now(request.path == "/ws" ? .webSocket(request, handler: handler()) : .text("A"))
        }
    }
}

/// Lets a test decide when the time of the next pings has come.
final class PingTimes: Sendable {
    private let times = AsyncStream<Void>.makeStream()

    /// Lets the next interval between two pings pass.
    func pass() { times.continuation.yield() }

    func sleep(_ duration: Duration) async throws {
        guard duration == .seconds(10) else { return try await Task.sleep(for: duration) }
        for await _ in times.stream { return }
        throw CancellationError()
    }
}
