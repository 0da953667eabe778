import HTTPClient
import HTTPTypes
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel
import Synchronization

/// Listens to the change feed of another Tidegate gateway, by `GET /changes` as an event stream. The feed has no conditions, so it
/// reports all changes of the classes.
final class ParseFeedListener: RemoteChangeListener {
    private struct State {
        var classes: Set<String> = []
        /// The position after which the gateway sends changes.
        var position: String
        var reader = EventStreamReader()
        /// Counts streams. What an earlier stream sends is ignored.
        var number = 0
        var stream: Task<Void, Never>?
        var watch: Task<Void, Never>?
        var hasBegun = false
        var heardAt: Duration = .zero
        var failure: String?
    }

    private let exchange: ParseExchange
    private let environment: Environment
    private let token: String?
    private let onRefusal: @Sendable () -> Void
    private let state: Mutex<State>
    private let signals: AsyncStream<RemoteSignal>
    private let signal: AsyncStream<RemoteSignal>.Continuation

    /// A gateway sends a heartbeat every 15 s.
    private static let silenceMax = Duration.seconds(45)

    /// - Parameters:
    ///   - position: the position of the feed after which changes are reported.
    ///   - token: the session token under which the stream is opened; nil for none.
    ///   - onRefusal: called if the server does not know the parameters of the stream.
    init(
        _ exchange: ParseExchange, from position: String, token: String?, _ environment: Environment,
        onRefusal: @escaping @Sendable () -> Void
    ) {
        (self.exchange, self.token, self.environment, self.onRefusal) = (exchange, token, environment, onRefusal)
        state = Mutex(State(position: position))
        (signals, signal) = AsyncStream.makeStream()
    }

    let way = SyncStatus.Listening.Way.changeFeed

    func listen(to queries: [PullQuery]) {
        let classes = Set(queries.map(\.className))
        let old = state.withLock { state -> [Task<Void, Never>?] in
            guard state.failure == nil, classes != state.classes else { return [] }
            let old = [state.stream, state.watch]
            state.classes = classes
            state.number += 1
            state.reader = EventStreamReader()
            state.hasBegun = false
            state.heardAt = environment.uptime()
            state.stream = environment.task { [self, number = state.number, position = state.position] in
                await read(classes, after: position, as: number)
            }
            state.watch = environment.task { [weak self, environment] in
                while (try? await environment.sleep(LiveQueryAccess.answerTime)) != nil, !Task.isCancelled {
                    self?.endIfSilent()
                }
            }
            return old
        }
        for task in old { task?.cancel() }
    }

    func isCurrent() async -> Bool {
        guard let sessions = exchange.configuration.sessions else { return true }
        return await sessions.token() == token
    }

    func next() async -> RemoteSignal? {
        for await signal in signals { return signal }
        return nil
    }

    var endReason: String { state.withLock { $0.failure } ?? "" }

    func close() { end("the gateway has ended the connection") }

    // MARK: The stream

    private func read(_ classes: Set<String>, after position: String, as number: Int) async {
        var request = exchange.requests.changes(of: classes, after: position)
        if let token { request = request.acting(by: token) }
        do {
            let response = try await exchange.transport.send(request) { [weak self] in
                self?.take(Array($0), of: number) ?? false
            }
            guard state.withLock({ $0.number == number }) else { return }
            if response.status.kind == .successful { return end("the remote has ended the stream") }
            if response.status == .badRequest { onRefusal() }
            end("the stream was refused with status \(response.status.code)")
        } catch {
            if state.withLock({ $0.number == number }) { end("\(exchange.reader.cleaner.clean(error))") }
        }
    }

    /// Takes a piece of a stream.
    /// - Returns: false if the stream is no longer needed.
    private func take(_ bytes: [UInt8], of number: Int) -> Bool {
        let (isWanted, found) = state.withLock { state -> (Bool, [RemoteSignal]) in
            guard state.number == number, state.failure == nil else { return (false, []) }
            state.heardAt = environment.uptime()
            var found: [RemoteSignal] = []
            for block in state.reader.take(bytes) {
                if let id = block.id { state.position = id }
                if !state.hasBegun { found.append(.listening(refused: [])) }
                state.hasBegun = true
                // The stream ends after `gone`, and the next one begins at the end of the feed.
                if ["change", "gone"].contains(block.name), found.last != .changed { found.append(.changed) }
            }
            return (true, found)
        }
        for one in found { signal.yield(one) }
        return isWanted
    }

    private func endIfSilent() {
        let now = environment.uptime()
        let isSilent = state.withLock { now - $0.heardAt > ($0.hasBegun ? Self.silenceMax : .zero) }
        if isSilent { end("the remote is silent") }
    }

    private func end(_ reason: String) {
        let tasks = state.withLock { state in
            if state.failure == nil { state.failure = reason }
            defer { (state.stream, state.watch) = (nil, nil) }
            return [state.stream, state.watch]
        }
        for task in tasks { task?.cancel() }
        signal.finish()
    }
}

/// Splits the bytes of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html) into blocks. It keeps the
/// names and ids of events, and skips their data.
struct EventStreamReader {
    /// A block: lines up to an empty line.
    struct Block: Equatable {
        var id: String?
        var name: String?
    }

    /// The part of a line that is kept, in bytes. Ids and names are shorter.
    private static let lineBytesMax = 256

    private var line: [UInt8] = []
    private var block = Block()

    /// - Returns: the blocks that end in `bytes`.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Block] {
        var blocks: [Block] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if line.count < Self.lineBytesMax { line.append(byte) }
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty {
                blocks.append(block)
                block = Block()
            } else if let value = value(of: "id") {
                block.id = value
            } else if let value = value(of: "event") {
                block.name = value
            }
            line.removeAll(keepingCapacity: true)
        }
        return blocks
    }

    private func value(of field: String) -> String? {
        guard line.starts(with: (field + ":").utf8) else { return nil }
        let value = line.dropFirst(field.utf8.count + 1)
        return String(decoding: value.first == UInt8(ascii: " ") ? value.dropFirst() : value, as: UTF8.self)
    }
}
