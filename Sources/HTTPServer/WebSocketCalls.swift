/// The calls of a ``WebSocket`` that were not sent yet, and their size. Also the size of the received messages that the handler
/// has not handled yet.
struct WebSocketCalls {
    private let bytesMax: Int
    private var queued: [WebSocketOutput] = []
    private var queuedBytes = 0
    private var encodedBytes = 0
    /// The size of the largest call since the last time at which nothing was unsent.
    private var largestBytes = 0
    /// The memory in bytes of the received messages that wait to be handled.
    private(set) var waitingBytes = 0
    /// Whether the queue of the WebSockets will see the calls without being told again.
    private var isScheduled = false
    private var isClosed = false
    /// Whether the WebSocket was dropped, by a call or because it had too many unsent bytes.
    private(set) var isDropped = false
    /// Whether a close frame is sent or queued.
    private(set) var isClosing = false

    /// The memory in bytes that each call needs besides its payload.
    private static let overhead = 32
    /// The bytes that each waiting message counts besides its text. So 2 MiB are at most 2,048 messages, and a client that sends
    /// many short messages cannot occupy the gateway for long.
    static let waitingOverhead = 1024

    /// - Parameter bytesMax: the maximum number of unsent bytes besides the largest message. A WebSocket that exceeds it is
    ///   dropped.
    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// The number of bytes of the calls that were not handed to the kernel.
    var unsentBytes: Int { queuedBytes + encodedBytes }

    /// Whether too many bytes are unsent. The largest message does not count: otherwise, a client would be dropped for a
    /// long message that it had no time to read.
    var isOverfull: Bool { unsentBytes - largestBytes > bytesMax }

    /// Adds a call.
    /// - Returns: whether the queue of the WebSockets must be told.
    mutating func add(_ output: WebSocketOutput) -> Bool {
        guard !isClosed, !isDropped else { return false }
        switch output {
        case .drop: isDropped = true
        case .close: isClosing = true
        case .handled(let count): waitingBytes -= count + Self.waitingOverhead
        case .text, .ping: break
        }
        if case .handled = output {} else { queue(output) }
        defer { isScheduled = true }
        return !isScheduled
    }

    private mutating func queue(_ output: WebSocketOutput) {
        let size = Self.size(of: output)
        largestBytes = unsentBytes == 0 ? size : max(largestBytes, size)
        queued.append(output)
        queuedBytes += size
        if isOverfull { isDropped = true }
        guard isDropped else { return }
        isClosing = true
        queued = []
    }

    /// Notes that the handler gets a message.
    mutating func received(_ text: [UInt8]) { waitingBytes += text.count + Self.waitingOverhead }

    /// Called before the queue looks at the calls.
    /// - Returns: whether the WebSocket was dropped.
    mutating func see() -> Bool {
        isScheduled = false
        return isDropped
    }

    /// Removes the calls, in order. They count as unsent until they are encoded.
    mutating func take() -> [WebSocketOutput] {
        defer { queued = [] }
        return queued
    }

    /// Notes that a taken call was encoded.
    /// - Parameter bytes: the number of encoded and unsent bytes of all calls.
    mutating func noteEncoded(_ output: WebSocketOutput, _ bytes: Int) {
        queuedBytes -= Self.size(of: output)
        encodedBytes = bytes
    }

    /// Notes the number of encoded and unsent bytes.
    /// - Returns: the number of all unsent bytes.
    mutating func noteEncoded(_ bytes: Int) -> Int {
        encodedBytes = bytes
        return unsentBytes
    }

    /// Discards the calls and ignores later ones.
    mutating func close() {
        isClosed = true
        isClosing = true
        queued = []
        queuedBytes = 0
        encodedBytes = 0
        waitingBytes = 0
    }

    private static func size(of output: WebSocketOutput) -> Int {
        switch output {
        case .text(let bytes), .ping(let bytes): bytes.count + overhead
        case .close(_, let reason): reason.utf8.count + overhead
        case .drop, .handled: 0
        }
    }
}
