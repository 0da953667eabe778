import ParseModel
import StoreService
import Synchronization

/// The client of a subscription: the connection that receives its events.
protocol LiveClient: AnyObject, Sendable {
    /// Sends an event.
    /// - Parameter body: `"number":…,"object":{…}` without braces, as of `LiveEvent.text`.
    /// - Returns: false if the connection is busy, so that the event was not sent.
    func send(_ operation: LiveEvent.Operation, _ body: [UInt8], to subscription: LiveSubscription) -> Bool
    /// Sends an error. The client has no subscription with this id afterwards.
    func end(_ subscription: LiveSubscription, for error: any Error, reconnects: Bool)
    /// Whether so much is unsent that further events must wait for `LiveQueries.resume`.
    var isBusy: Bool { get }
    /// Asks the client which events it has received. The connection then calls `LiveSubscription.confirm`.
    func askForConfirmation()
    /// Closes the connection, because the client reads too slowly.
    func drop()
}

/// One subscription of a connection.
final class LiveSubscription: FeedReader {
    /// How the subscription gets its changes.
    enum Mode: Sendable {
        /// A task reads the changes after the position from the store.
        case reading
        /// The connection is busy. The task starts again when it has sent its messages.
        case waiting
        /// `LiveQueries` delivers each change.
        case live
        case ended
    }

    struct State: Sendable {
        /// Every change up to this number was sent or does not concern the subscription.
        var position: Int64
        var mode = Mode.reading
        /// The number of the latest event that was sent.
        var sent: Int64
        /// The client has received every event up to this number.
        var confirmed: Int64
        /// The position that is stored in the file.
        var stored: Int64?
        /// The uptime at which `stored` was stored.
        var storedAt: Duration = .zero
        /// Whether a task has begun to read changes for the subscription.
        var hasBegun = false
        /// Whether the subscription has ever been up to date.
        var hasKeptUp = false

        /// A position after which the client surely lacks no earlier event.
        var safePosition: Int64 { sent <= confirmed ? position : confirmed }
    }

    /// The position that a later subscription of the client takes over.
    struct KeptPosition: Sendable {
        /// Identifies the subscription across connections.
        let key: LiveSubscriptionKey
        /// The id of the position in the store.
        let id: Int64
    }

    /// The place at which a subscription starts.
    struct Start: Sendable {
        /// The number of the last change before it.
        let number: Int64
        /// Nil for a client without an installation id.
        let kept: KeptPosition?
        /// Why the client misses changes since its last subscription; nil if it misses none.
        var missing: StoreError?
    }

    /// The `requestId` of the client: a number.
    let requestId: JSONValue
    let query: LiveQuery
    let kept: KeptPosition?
    let reader: LiveReader
    /// The conditions: those of the query, and those with the present ids of renamed objects.
    let group: LiveGroupKey
    let client: any LiveClient
    private let queries: LiveQueries
    /// The session token of the subscription; nil if it has no session.
    let session: String?
    /// Whether the session of the subscription has not ended.
    let mayContinue: @Sendable () -> Bool
    private let memory: LiveMemory
    let state: Mutex<State>

    init(
        _ requestId: JSONValue, _ query: LiveQuery, from start: Start, reader: LiveReader, memory: LiveMemory,
        queries: LiveQueries, client: any LiveClient, session: String?, mayContinue: @escaping @Sendable () -> Bool
    ) {
        self.requestId = requestId
        self.query = query
        kept = start.kept
        self.reader = reader
        self.memory = memory
        (self.queries, self.client) = (queries, client)
        (self.session, self.mayContinue) = (session, mayContinue)
        group = LiveGroupKey(className: query.className, predicate: query.predicate, reader: reader)
        // `LiveQueries.start` has stored the position.
        state = Mutex(
            State(
                position: start.number, sent: start.number, confirmed: start.number,
                stored: start.kept == nil ? nil : start.number, storedAt: queries.environment.uptime()))
    }

    var mode: Mode { state.withLock { $0.mode } }
    var position: Int64 { state.withLock { $0.position } }
    /// The number of the latest event that was sent.
    var sent: Int64 { state.withLock { $0.sent } }
    var hasUnconfirmed: Bool { state.withLock { $0.sent > $0.confirmed } }

    /// Notes that the client has received every event up to a number.
    func confirm(_ number: Int64) { state.withLock { $0.confirmed = max($0.confirmed, number) } }

    func sessionEnded() { queries.stop(self, for: ParseError.invalidSession, reconnects: false) }

    /// Ends the subscription.
    /// - Parameter delivered: the position of all subscriptions that are up to date.
    /// - Returns: the position after which the client lacks no earlier event; nil if the subscription had ended before.
    func end(deliveredTo delivered: Int64) -> Int64? {
        state.withLock { state in
            guard state.mode != .ended else { return nil }
            if state.mode == .live { state.position = max(state.position, delivered) }
            state.mode = .ended
            return state.safePosition
        }
    }

    /// The position after which the client lacks no earlier event.
    /// - Parameter delivered: the position of all subscriptions that are up to date.
    func safePosition(deliveredTo delivered: Int64) -> Int64 {
        state.withLock { state in
            if state.mode == .live { state.position = max(state.position, delivered) }
            return state.safePosition
        }
    }

    /// Notes that everything up to a number was examined.
    /// - Parameter sent: the number of the latest event among it; nil for none.
    func advance(to number: Int64, sent: Int64?) {
        state.withLock { state in
            state.position = max(state.position, number)
            if let sent { state.sent = max(state.sent, sent) }
        }
    }
}

/// The subscriptions that get the same events: same class, conditions and rights.
struct LiveGroupKey: Hashable, Sendable {
    let className: String
    let predicate: Predicate
    let reader: LiveReader
}
