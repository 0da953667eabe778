/// The part of a WebSocket client that its thread shares with its callers.
struct WebSocketClientState {
    enum Call: Sendable {
        case text([UInt8])
        case close(UInt16, String)
        case tick
        case drop
    }

    /// The caller of `connect`; nil when it has got its answer.
    var opening: CheckedContinuation<WebSocketClientError?, Never>?
    /// The reason to give up the opening; nil if there is none.
    var givenUp: WebSocketClientError?
    /// The reader that waits for a message.
    var reader: CheckedContinuation<[UInt8]?, Never>?
    private(set) var end: WebSocketEnd?
    /// Whether the thread has ended, so that libcurl's handle must not be used any more.
    var isThreadDone = false
    private var calls: [Call] = []
    private var queuedBytes = 0
    private var encodedBytes = 0
    private var messages: [[UInt8]] = []
    private var firstMessage = 0
    private var messageBytes = 0

    /// The number of bytes of unread messages from which no more are received.
    private static let messageBytesMax = 1 << 20
    /// The memory in bytes that a message or a call needs besides its text.
    private static let overhead = 32

    var unsentBytes: Int { queuedBytes + encodedBytes }
    var hasRoom: Bool { messageBytes < Self.messageBytesMax }

    /// Adds a call. Does nothing after the end.
    mutating func add(_ call: Call) {
        guard end == nil else { return }
        if case .text(let text) = call { queuedBytes += text.count }
        calls.append(call)
    }

    mutating func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Notes the number of encoded and unsent bytes, after the taken calls were encoded.
    mutating func noteEncoded(_ bytes: Int, of calls: [Call]) {
        for case .text(let text) in calls { queuedBytes -= text.count }
        encodedBytes = bytes
    }

    /// Adds a received message.
    /// - Returns: the reader to resume with the message; nil if none waits.
    mutating func receive(_ message: [UInt8]) -> CheckedContinuation<[UInt8]?, Never>? {
        if let reader = reader.take() { return reader }
        messages.append(message)
        messageBytes += message.count + Self.overhead
        return nil
    }

    /// Removes the oldest message.
    mutating func nextMessage() -> [UInt8]? {
        guard firstMessage < messages.count else { return nil }
        let message = messages[firstMessage]
        messages[firstMessage] = []
        firstMessage += 1
        messageBytes -= message.count + Self.overhead
        if firstMessage == messages.count {
            messages = []
            firstMessage = 0
        }
        return message
    }

    /// Notes the end. Received messages can still be read.
    mutating func finish(_ end: WebSocketEnd) {
        if self.end == nil { self.end = end }
        calls = []
        queuedBytes = 0
        encodedBytes = 0
    }
}
