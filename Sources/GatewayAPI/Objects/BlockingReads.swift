import Dispatch
import HTTPServer
import StoreService
import Synchronization

/// Runs reads that may take long on threads of their own, so that they block neither the server's threads nor the
/// cooperative pool.
///
/// Each kind has its own threads, so a read never waits for reads of another kind.
final class BlockingReads: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// A read that takes at most a few hundredths of a second.
        case quick
        case single
        case batchItem = "batch-item"
        /// The parsing of a large body.
        case body
        /// A read of a whole class.
        case export

        /// The maximum number of concurrent reads.
        fileprivate var threadsMax: Int { self == .single ? 3 : 2 }

        /// The maximum number of waiting reads; further reads are refused. The sum over all kinds leaves connections
        /// for other requests.
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
            // A serial queue always gets a thread. A concurrent queue would share the threads of Swift tasks.
            state = Mutex(
                State(
                    idle: (1...kind.threadsMax).map {
                        DispatchQueue(label: "tidegate.blocking-reads.\(kind.rawValue).\($0)")
                    }))
        }
    }

    private let lanes = Kind.allCases.reduce(into: [:]) { $0[$1] = Lane($1) }
    private let runOnCaller: Bool

    /// - Parameter runOnCaller: whether each read runs on its caller's thread.
    init(runOnCaller: Bool = false) { self.runOnCaller = runOnCaller }

    /// Runs a read on a thread of its kind, or skips the read if the client has disconnected before.
    /// - Returns: the result of the read, `StoreError.tookTooLong` if the read was skipped, or `APIError.busy` if too many reads
    ///   are waiting.
    func run<Value: Sendable>(
        _ kind: Kind = .single, for client: HTTPClientPresence? = nil, _ read: @escaping @Sendable () throws -> Value
    ) async -> Result<Value, any Error> {
        if runOnCaller { return Result { try read() } }
        guard let lane = lanes[kind] else { preconditionFailure("every kind has a lane") }
        return await withCheckedContinuation { continuation in
            let isTaken = start(in: lane) {
                let result = Result {
                    if client?.hasDisconnected == true { throw StoreError.tookTooLong }
                    return try read()
                }
                continuation.resume(returning: result)
            }
            if !isTaken { continuation.resume(returning: .failure(APIError.busy)) }
        }
    }

    /// Whether a read of the kind would start at once.
    func hasIdle(_ kind: Kind) -> Bool { lanes[kind]?.state.withLock { !$0.idle.isEmpty } ?? false }

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
    /// Stops the read after `time`, or when the client disconnects.
    init(_ time: Duration, for client: HTTPClientPresence) {
        self.init(time) { !client.hasDisconnected }
    }
}
