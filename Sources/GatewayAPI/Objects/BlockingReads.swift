import Dispatch
import HTTPServer
import StoreService
import Synchronization

/// Threads for reads that may take long: they keep neither the server's threads nor those of tasks.
///
/// Each kind has its own threads: a quick list never waits for a slow one, and neither waits for items of batches or for large
/// bodies.
final class BlockingReads: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// Takes a few hundredths of a second at most.
        case quick
        case single
        case batchItem = "batch-item"
        /// The parsing of a large body.
        case body

        /// How many are carried out at a time.
        fileprivate var threadsMax: Int { self == .single ? 3 : 2 }

        /// How many wait at most; further ones are refused. Those of all kinds leave room for other requests among the
        /// connections that the server takes.
        fileprivate var waitingMax: Int { self == .quick ? 192 : 96 }
    }

    private final class Lane: Sendable {
        struct State {
            var waiting: [@Sendable () -> Void] = []
            var idle: [DispatchQueue]
        }

        let state: Mutex<State>
        let waitingMax: Int

        init(_ kind: Kind) {
            waitingMax = kind.waitingMax
            // A serial queue has a thread whenever it needs one; a concurrent one would share those of the tasks.
            state = Mutex(
                State(
                    idle: (1...kind.threadsMax).map {
                        DispatchQueue(label: "tidegate.blocking-reads.\(kind.rawValue).\($0)")
                    }))
        }
    }

    private let lanes = Kind.allCases.reduce(into: [:]) { $0[$1] = Lane($1) }

    /// - Parameter client: once it has left, the read does not begin.
    /// - Returns: `APIError.busy` where too many reads wait.
    func run<Value: Sendable>(
        _ kind: Kind = .single, for client: HTTPClientPresence? = nil, _ read: @escaping @Sendable () throws -> Value
    ) async -> Result<Value, any Error> {
        guard let lane = lanes[kind] else { preconditionFailure("every kind has a lane") }
        return await withCheckedContinuation { continuation in
            let isTaken = start(in: lane) {
                let result = Result {
                    if client?.hasLeft == true { throw StoreError.tookTooLong }
                    return try read()
                }
                continuation.resume(returning: result)
            }
            if !isTaken { continuation.resume(returning: .failure(APIError.busy)) }
        }
    }

    private func start(in lane: Lane, _ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, queue) = lane.state.withLock { state -> (Bool, DispatchQueue?) in
            guard state.waiting.count < lane.waitingMax else { return (false, nil) }
            state.waiting.append(work)
            return (true, state.idle.popLast())
        }
        queue?.async { Self.drain(lane, queue) }
        return isTaken
    }

    private static func drain(_ lane: Lane, _ queue: DispatchQueue?) {
        while let work = next(lane, orRest: queue) { work() }
    }

    private static func next(_ lane: Lane, orRest queue: DispatchQueue?) -> (@Sendable () -> Void)? {
        lane.state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if let queue { state.idle.append(queue) }
            return nil
        }
    }
}

extension ReadTimeout {
    /// The result is wanted until the client leaves.
    init(_ time: Duration, for client: HTTPClientPresence) {
        self.init(time) { !client.hasLeft }
    }
}
