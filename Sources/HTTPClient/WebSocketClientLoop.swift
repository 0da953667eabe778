import CCurl
import Foundation
import Synchronization
import WebSocketFrames

/// The connection of a ``WebSocketClient``, and the thread that reads and writes it.
final class WebSocketClientLoop: @unchecked Sendable {
    // A lock protects `state`. The thread alone uses everything else, except that others use `multi` for `curl_multi_wakeup` until the
    // thread is done.
    typealias Call = WebSocketClientState.Call

    private let state = Mutex(WebSocketClientState())
    private let multi: UnsafeMutableRawPointer
    private let connection: WebSocketConnect
    private let key: String
    private let codec: WebSocketCodec?
    private var sentCount = 0
    private var isPinged = false
    private var isAlive = true
    private var isClosing = false
    private var hasClosingTick = false

    /// The time between two pings.
    static let pingInterval = Duration.seconds(10)
    private static let readsMax = 16

    init(
        _ request: HTTPClientRequest, _ address: WebAddress, _ configuration: CurlTransport.Configuration,
        _ messageBytesMax: Int, _ randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        key = WebSocketKey.make(of: randomBytes(WebSocketKey.byteCount))
        codec = WebSocketCodec(
            .client(mask: { randomBytes(4).reduce(0) { $0 << 8 | UInt32($1) } }), messageBytesMax: messageBytesMax)
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl is out of memory") }
        self.multi = multi
        connection = WebSocketConnect(request, address, configuration)
    }

    /// Connects and opens the WebSocket.
    /// - Returns: nil when the WebSocket is open.
    func start() async -> WebSocketClientError? {
        await withCheckedContinuation { continuation in
            state.withLock { $0.opening = continuation }
            let thread = Thread { self.run() }
            thread.name = "websocket-client"
            thread.start()
        }
    }

    /// Ends the opening with an error, if it is not over.
    func giveUp(_ error: WebSocketClientError) {
        state.withLock { state in
            state.givenUp = error
            wake(state)
        }
    }

    func call(_ call: Call) {
        state.withLock { state in
            state.add(call)
            wake(state)
        }
    }

    /// Called at each interval of the pings.
    func tick() { call(.tick) }

    var unsentBytes: Int { state.withLock { $0.unsentBytes } }
    var end: WebSocketEnd? { state.withLock { $0.end } }

    func nextMessage() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isReady, message) = state.withLock { state in
                    let hadRoom = state.hasRoom
                    if let message = state.nextMessage() {
                        if !hadRoom { wake(state) }
                        return (true, Optional(message))
                    }
                    if state.end != nil || Task.isCancelled { return (true, nil) }
                    precondition(state.reader == nil, "a WebSocket has one reader")
                    state.reader = continuation
                    return (false, nil)
                }
                if isReady { continuation.resume(returning: message) }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(returning: nil)
        }
    }

    private func wake(_ state: borrowing WebSocketClientState) {
        if !state.isThreadDone { curl_multi_wakeup(multi) }
    }

    // MARK: The thread

    private func run() {
        CurlLoop.blockBrokenPipeSignal()
        let failure = open()
        state.withLock { state in
            if let failure { state.finish(.broken(reason: "\(failure)")) }
            return state.opening.take()
        }?.resume(returning: failure)
        if failure == nil { exchange() }
        let reader = state.withLock { state in
            state.isThreadDone = true
            return state.reader.take()
        }
        connection.close(multi)
        curl_multi_cleanup(multi)
        reader?.resume(returning: nil)
    }

    private func open() -> WebSocketClientError? {
        let givenUp = { self.state.withLock { $0.givenUp } }
        if let failure = connection.connect(multi, givenUp) { return failure }
        var unsent = Array(connection.head(key))[...]
        var handshake = WebSocketAnswer(key: key)
        while true {
            if let failure = givenUp() { return failure }
            while !unsent.isEmpty, let count = connection.send(unsent) {
                guard count > 0 else { return .notConnected(reason: "the connection is broken") }
                unsent = unsent.dropFirst(count)
            }
            switch connection.receive() {
            case .bytes(let bytes):
                switch handshake.add(bytes) {
                case .incomplete: continue
                case .wrong(let error): return error
                case .open(let rest):
                    receive(rest)
                    return nil
                }
            case .end: return .notConnected(reason: "the server has closed the connection")
            case .wait: connection.wait(multi, reads: true, writes: !unsent.isEmpty, isQuick: false)
            }
        }
    }

    private func exchange() {
        while end == nil {
            var isQuick = false
            if let end = apply() ?? send() ?? read(&isQuick) ?? send() {
                state.withLock { $0.finish(end) }
                return
            }
            let hasRoom = state.withLock { $0.hasRoom }
            connection.wait(multi, reads: hasRoom, writes: codec?.output.isEmpty == false, isQuick: isQuick)
        }
    }

    /// Encodes the calls.
    private func apply() -> WebSocketEnd? {
        guard let codec else { return .broken(reason: "memory is exhausted") }
        let calls = state.withLock { $0.takeCalls() }
        for call in calls {
            switch call {
            case .text(let text): codec.sendText(text)
            case .close(let code, let reason):
                isClosing = true
                codec.sendClose(code: code, reason: reason)
            case .drop: return .dropped
            case .tick:
                guard isAlive || !isPinged, !hasClosingTick else { return .silent }
                isAlive = false
                isPinged = true
                hasClosingTick = isClosing
                codec.sendPing([])
            }
        }
        state.withLock { $0.noteEncoded(codec.output.count - sentCount, of: calls) }
        return nil
    }

    private func send() -> WebSocketEnd? {
        guard let codec else { return nil }
        while sentCount < codec.output.count, let count = connection.send(codec.output[sentCount...]) {
            guard count > 0 else { return .broken(reason: "the connection is broken") }
            sentCount += count
        }
        if sentCount == codec.output.count {
            codec.output = []
            sentCount = 0
            if let code = codec.failure { return .failed(code: code) }
            if codec.isOver { return .closed(code: closeCode) }
        }
        state.withLock { $0.noteEncoded(codec.output.count - sentCount, of: []) }
        return nil
    }

    /// Receives until no more bytes have arrived, or the unread messages fill their memory.
    private func read(_ isQuick: inout Bool) -> WebSocketEnd? {
        for _ in 0..<Self.readsMax {
            guard state.withLock({ $0.hasRoom }), codec?.isOver == false else { return nil }
            switch connection.receive() {
            case .bytes(let bytes): receive(bytes)
            case .end: return .broken(reason: "the server has closed the connection")
            case .wait: return nil
            }
        }
        isQuick = true
        return nil
    }

    private var closeCode: UInt16?

    private func receive(_ bytes: [UInt8]) {
        isAlive = true
        for event in bytes.withUnsafeBytes({ codec?.receive($0) ?? [] }) {
            switch event {
            case .text(let text): state.withLock { $0.receive(text) }?.resume(returning: text)
            case .close(let code): closeCode = code
            case .pong: break
            }
        }
    }
}
