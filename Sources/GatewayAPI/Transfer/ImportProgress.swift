import HTTPServer
import HTTPTypes
import ParseModel
import Synchronization

/// The answer to an import as NDJSON: lines with the progress while the import runs, and its result in the last line.
final class ImportProgress: HTTPBodyStream {
    private struct State {
        var lines: [UInt8] = []
        var isOver = false
        var lastAt: Duration?
        var wake: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())
    private let uptime: @Sendable () -> Duration
    private let client: HTTPClientPresence
    /// The shortest time between two lines of progress.
    private static let interval = Duration.milliseconds(250)

    /// - Parameter client: the client of the import, which counts as disconnected when the stream closes before its end.
    init(client: HTTPClientPresence, uptime: @escaping @Sendable () -> Duration) {
        (self.client, self.uptime) = (client, uptime)
    }

    /// Adds a line with the progress, unless the last one is recent.
    func note(_ progress: JSONObject) {
        let now = uptime()
        state.withLock { state in
            if let last = state.lastAt, now - last < Self.interval { return }
            state.lastAt = now
            state.lines += (["progress": .object(progress)] as JSONObject).jsonBytes + [UInt8(ascii: "\n")]
            state.wake()
        }
    }

    /// Adds the last line.
    func finish(_ result: JSONObject) {
        state.withLock { state in
            state.lines += result.jsonBytes + [UInt8(ascii: "\n")]
            state.isOver = true
            state.wake()
        }
    }

    func next() -> HTTPBodyPiece {
        state.withLock { state in
            guard state.lines.isEmpty else {
                defer { state.lines = [] }
                return .bytes(state.lines)
            }
            return state.isOver ? .end : .wait
        }
    }

    func setWaker(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// The presence belongs to the connection, which may have further requests after a complete answer.
    func closed() { if !state.withLock({ $0.isOver }) { client.leave() } }
}
