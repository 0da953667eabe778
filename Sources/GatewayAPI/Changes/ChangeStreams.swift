import Logging
import ParseModel
import StoreService
import Synchronization

/// The event streams of the change feed of one store. Each new change is read and encoded once for all streams that are up to
/// date.
final class ChangeStreams: Sendable {
    private struct State {
        var window = FeedWindow(at: 0)
        var heart: Task<Void, Never>?
    }

    let store: any ObjectStore
    let positions: FeedPositions
    let logger: Logger
    let readers: FeedReaders
    private let sync: SyncStatusFeed
    private let environment: Environment
    private let streamsMax: Int
    private let state = Mutex(State())

    private static let pageMax = 500
    /// The interval of the heartbeats of open streams. The server notices only when it sends that a client has
    /// disconnected.
    private static let heartbeat = Duration.seconds(15)

    /// - Parameter status: returns the answer of `GET /sync` for the public. All streams share it.
    init(
        store: any ObjectStore, readers: FeedReaders, positions: FeedPositions = FeedPositions(ofStore: nil),
        limits: RequestLimits, environment: Environment, logger: Logger,
        status: @escaping @Sendable () async throws -> JSONObject
    ) {
        (self.store, self.readers, self.positions) = (store, readers, positions)
        (self.environment, self.logger) = (environment, logger)
        streamsMax = limits.streamsMax
        sync = SyncStatusFeed(status: status, sleep: environment.sleep, logger: logger)
        readers.onNewChanges { [weak self] in self?.readNew() }
    }

    // MARK: Streams

    /// Opens a stream.
    /// - Parameters:
    ///   - since: the number of the last change that the client has; nil to start after the latest change.
    ///   - session: the session token of the client; nil if it has no session that can end.
    ///   - mayContinue: whether the client may still read. Called before each piece of the stream.
    /// - Throws: `APIError.tooManyStreams`, `StoreError.feedTrimmed`.
    func open(
        since: Int64?, classes: Set<String>?, principal: Principal, objects: ChangeText.Objects,
        session: String? = nil, mayContinue: @escaping @Sendable () -> Bool = { true },
        addressed: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) throws -> ChangeStream {
        let newest = try store.changes(since: nil, classes: nil, limit: 1, as: .master).next
        if let since { _ = try store.changes(since: since, classes: nil, limit: 1, as: principal) }
        let stream = ChangeStream(
            feed: self, at: since ?? newest, classes: classes, principal: principal, objects: objects,
            session: session, mayContinue: mayContinue, addressed: addressed)
        let isFirst = try state.withLock { state in
            guard let count = readers.add(stream, countMax: streamsMax) else {
                throw APIError.tooManyStreams(max: streamsMax)
            }
            if count == 1 {
                state.window = FeedWindow(at: newest)
                state.heart = environment.task { [weak self, environment] in
                    while (try? await environment.sleep(Self.heartbeat)) != nil, !Task.isCancelled { self?.beat() }
                }
                sync.setWanted(true)
            }
            return count == 1
        }
        // Reads the changes that were written after `newest` was read.
        if isFirst { readers.deliver() }
        return stream
    }

    func closed(_ stream: ChangeStream) {
        state.withLock { state in
            guard readers.remove(stream) == 0 else { return }
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

    private func beat() { for stream in readers.all(ChangeStream.self) { stream.beat() } }

    private func wakeAll() { for stream in readers.all(ChangeStream.self) { stream.wake() } }

    // MARK: Following the store

    /// Reads the changes of the latest commits, and the sync state, which they may have changed.
    private func readNew() {
        guard readers.count(of: ChangeStream.self) > 0 else { return }
        readPages(after: state.withLock { $0.window.newest })
        refreshSync()
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
        [.gauge("tidegate_change_streams", "Open change streams.", Double(readers.count(of: ChangeStream.self)))]
    }
}
