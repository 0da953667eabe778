import Logging
import ParseModel
import StoreService
import Synchronization

/// Keeps the readers of the change feed, and wakes them after each commit: the open event streams, and the live queries.
///
/// Each new change is read and encoded once for all event streams that are up to date. Live queries read the states of
/// objects, and encode their events for each group of equal subscriptions.
final class ChangeStreams: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: ChangeStream] = [:]
        /// The live queries, which read the feed themselves; nil before `add`.
        var live: LiveQueries?
        var window = FeedWindow(at: 0)
        var isDue = false
        var isReading = false
        var heart: Task<Void, Never>?
    }

    let store: any ObjectStore
    let positions: FeedPositions
    let logger: Logger
    private let sync: SyncStatusFeed
    private let environment: Environment
    private let streamsMax: Int
    /// The number of changes by which a stream that was up to date may fall behind before it ends.
    let lagMax: Int64
    private let state = Mutex(State())

    private static let pageMax = 500
    /// The interval of the heartbeats of open streams. The server notices only when it sends that a client has
    /// disconnected.
    private static let heartbeat = Duration.seconds(15)

    /// - Parameter status: returns the answer of `GET /sync` for the public. All streams share it.
    init(
        store: any ObjectStore, positions: FeedPositions = FeedPositions(ofStore: nil), limits: RequestLimits,
        environment: Environment, logger: Logger,
        status: @escaping @Sendable () async throws -> JSONObject
    ) {
        self.store = store
        self.positions = positions
        self.environment = environment
        self.logger = logger
        streamsMax = limits.streamsMax
        lagMax = Int64(limits.streamLagMax)
        sync = SyncStatusFeed(status: status, sleep: environment.sleep, logger: logger)
        store.onCommit { [weak self] in
            self?.readNext()
            self?.refreshSync()
            self?.live?.wake()
        }
    }

    private var live: LiveQueries? { state.withLock { $0.live } }

    /// Adds the live queries, which are woken after each commit.
    func add(_ live: LiveQueries) { state.withLock { $0.live = live } }

    // MARK: Streams

    var hasStreams: Bool { state.withLock { !$0.streams.isEmpty } }

    /// Opens a stream.
    /// - Parameters:
    ///   - since: the number of the last change that the client has; nil to start after the latest change.
    ///   - mayContinue: whether the client may still read. Called before each piece of the stream.
    /// - Throws: `APIError.tooManyStreams`, `StoreError.feedTrimmed`.
    func open(
        since: Int64?, classes: Set<String>?, principal: Principal, sync member: SyncMember? = nil,
        mayContinue: @escaping @Sendable () -> Bool = { true },
        addressed: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) throws -> ChangeStream {
        let newest = try store.changes(since: nil, classes: nil, limit: 1, as: .master).next
        if let since { _ = try store.changes(since: since, classes: nil, limit: 1, as: principal) }
        let stream = ChangeStream(
            feed: self, at: since ?? newest, classes: classes, principal: principal, sync: member,
            mayContinue: mayContinue, addressed: addressed)
        let isFirst = try state.withLock { state in
            guard state.streams.count < streamsMax else { throw APIError.tooManyStreams(max: streamsMax) }
            let isFirst = state.streams.isEmpty
            if isFirst {
                state.window = FeedWindow(at: newest)
                state.heart = environment.task { [weak self, environment] in
                    while (try? await environment.sleep(Self.heartbeat)) != nil, !Task.isCancelled { self?.beat() }
                }
                sync.setWanted(true)
            }
            state.streams[ObjectIdentifier(stream)] = stream
            return isFirst
        }
        if isFirst {
            // Reads the changes that were written after `newest` was read.
            readNext()
            refreshSync()
        }
        return stream
    }

    func closed(_ stream: ChangeStream) {
        state.withLock { state in
            guard state.streams.removeValue(forKey: ObjectIdentifier(stream)) != nil, state.streams.isEmpty else {
                return
            }
            state.window = FeedWindow(at: 0)
            state.heart?.cancel()
            sync.setWanted(false)
        }
    }

    func read(after position: Int64, _ classes: Set<String>?) -> FeedWindow.ReadResult {
        state.withLock { $0.window.read(after: position, classes) }
    }

    /// Whether no roles or permissions have changed after a position of the feed, as far as the changes in memory show.
    /// Then an event with `isForAll` is the same for every reader.
    func keepsRights(after position: Int64) -> Bool { state.withLock { $0.window.rightsChangedAt <= position } }

    func syncEvent(after version: Int) -> SyncStatusFeed.Event? { sync.event(after: version) }

    /// Schedules a read of the sync state, which may have changed. The streams are woken if it has changed.
    func refreshSync() { sync.refresh { [weak self] in self?.wakeAll() } }

    fileprivate var streamCount: Int { state.withLock { $0.streams.count } }

    private func beat() {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.beat() }
    }

    func wakeAll() {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.wake() }
    }

    // MARK: Following the store

    private func readNext() {
        let mustRead = state.withLock { state in
            guard !state.streams.isEmpty else { return false }
            state.isDue = true
            defer { state.isReading = true }
            return !state.isReading
        }
        if mustRead { environment.task { [self] in while let newest = nextPosition() { readPages(after: newest) } } }
    }

    private func nextPosition() -> Int64? {
        state.withLock { state in
            defer { state.isDue = false }
            state.isReading = state.isDue && !state.streams.isEmpty
            return state.isReading ? state.window.newest : nil
        }
    }

    private func readPages(after newest: Int64) {
        var position = newest
        do {
            while true {
                let page = try store.changes(since: position, classes: nil, limit: Self.pageMax, as: .master)
                let events = page.entries.map { FeedEvent($0, positions: positions) }
                state.withLock { [position] in
                    $0.window.append(
                        events, after: position, newest: page.next, rightsChangedAt: page.rightsChangedAt)
                }
                // A change of roles or permissions adds entries for restricted readers only. `events`, read with the
                // master key, has no such entries.
                if !events.isEmpty || page.rightsChangedAt > position { wakeAll() }
                position = page.next
                if events.count < Self.pageMax { return }
            }
        } catch {
            // A new, empty window replaces the old one. Streams then read the missing changes from the store.
            logger.warning("the change feed cannot be read: \(error)")
            let end = try? store.changes(since: nil, classes: nil, limit: 1, as: .master).next
            state.withLock { $0.window = FeedWindow(at: end ?? position) }
            wakeAll()
        }
    }
}

extension ChangeStreams: MetricsSource {
    func families() -> [MetricFamily] {
        [.gauge("tidegate_change_streams", "Open change streams.", Double(streamCount))]
    }
}
