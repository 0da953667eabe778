import ParseModel
import StoreService
import Synchronization

/// The open readers of one store's change feed: the event streams of `GET /changes`, and the subscriptions of live
/// queries.
///
/// Both kinds are in one list. After each commit, one task lets each kind deliver the new changes to its readers. Once a
/// second, the readers whose sessions have ended are ended.
package final class FeedReaders: Sendable {
    private struct State {
        /// The readers by their type, then by their identity.
        var readers: [ObjectIdentifier: [ObjectIdentifier: any FeedReader]] = [:]
        var deliveries: [@Sendable () async -> Void] = []
        var checks: [@Sendable () async -> Void] = []
        var isDue = false
        var isDelivering = false
        var ticker: Task<Void, Never>?
    }

    /// The number of changes by which a reader that was up to date may fall behind before it ends.
    let lagMax: Int64
    private let environment: Environment
    private let state = Mutex(State())

    private static let tick = Duration.seconds(1)

    init(store: any ObjectStore, limits: RequestLimits, environment: Environment) {
        self.environment = environment
        lagMax = Int64(limits.streamLagMax)
        store.onCommit { [weak self] in self?.deliver() }
    }

    // MARK: The kinds of readers

    /// Adds a function that delivers new changes to the readers of one kind. It is called after commits while any reader is
    /// open, and never twice at a time.
    func onNewChanges(_ deliver: @escaping @Sendable () async -> Void) {
        state.withLock { $0.deliveries.append(deliver) }
    }

    /// Adds a function that is called once a second while any reader is open.
    func onTick(_ check: @escaping @Sendable () async -> Void) { state.withLock { $0.checks.append(check) } }

    // MARK: The list

    /// Adds a reader.
    /// - Parameter countMax: the maximum number of readers of this kind.
    /// - Returns: the number of readers of this kind; nil if the reader was not added because there are `countMax` others.
    @discardableResult
    func add<Reader: FeedReader>(_ reader: Reader, countMax: Int = .max) -> Int? {
        state.withLock { state in
            let kind = ObjectIdentifier(Reader.self)
            guard state.readers[kind, default: [:]].count < countMax else { return nil }
            state.readers[kind, default: [:]][ObjectIdentifier(reader)] = reader
            if state.ticker == nil {
                state.ticker = environment.task { [weak self, environment] in
                    while (try? await environment.sleep(Self.tick)) != nil, !Task.isCancelled {
                        guard await self?.check() == true else { return }
                    }
                }
            }
            return state.readers[kind]?.count
        }
    }

    /// Removes a reader.
    /// - Returns: the number of readers of this kind that are left; nil if the reader was not in the list.
    @discardableResult
    func remove<Reader: FeedReader>(_ reader: Reader) -> Int? {
        state.withLock { state in
            let kind = ObjectIdentifier(Reader.self)
            guard state.readers[kind]?.removeValue(forKey: ObjectIdentifier(reader)) != nil else { return nil }
            let left = state.readers[kind]?.count ?? 0
            if left == 0 { state.readers[kind] = nil }
            return left
        }
    }

    /// The readers of one kind.
    func all<Reader: FeedReader>(_ kind: Reader.Type) -> [Reader] {
        state.withLock { $0.readers[ObjectIdentifier(kind)]?.values.compactMap { $0 as? Reader } ?? [] }
    }

    func count<Reader: FeedReader>(of kind: Reader.Type) -> Int {
        state.withLock { $0.readers[ObjectIdentifier(kind)]?.count ?? 0 }
    }

    var isEmpty: Bool { state.withLock { $0.readers.isEmpty } }

    private var all: [any FeedReader] { state.withLock { $0.readers.values.flatMap(\.values) } }

    // MARK: Delivery

    /// Lets each kind deliver the new changes. Returns at once.
    func deliver() {
        let mustStart = state.withLock { state in
            guard !state.readers.isEmpty else { return false }
            state.isDue = true
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard mustStart else { return }
        environment.task { [self] in
            while let deliveries = nextDeliveries() { for deliver in deliveries { await deliver() } }
        }
    }

    private func nextDeliveries() -> [@Sendable () async -> Void]? {
        state.withLock { state in
            defer { state.isDue = false }
            state.isDelivering = state.isDue && !state.readers.isEmpty
            return state.isDelivering ? state.deliveries : nil
        }
    }

    // MARK: Clients

    /// - Returns: false if no reader is open. The checks then end.
    private func check() async -> Bool {
        let (isOver, checks) = state.withLock { state in
            if state.readers.isEmpty { state.ticker = nil }
            return (state.readers.isEmpty, state.checks)
        }
        if isOver { return false }
        checkSessions()
        for check in checks { await check() }
        return true
    }

    /// Ends the readers whose sessions have ended.
    func checkSessions() {
        // A session is looked up once, even if many readers have it.
        for readers in Dictionary(grouping: all.filter { $0.session != nil }, by: \.session).values
        where readers.first?.mayContinue() == false {
            for reader in readers { reader.sessionEnded() }
        }
    }
}

/// A client's way to read the change feed as it grows.
protocol FeedReader: AnyObject, Sendable {
    /// The session token of the client; nil if it has no session that can end.
    var session: String? { get }
    /// Whether the session of the client has not ended.
    var mayContinue: @Sendable () -> Bool { get }
    /// Called when the session has ended. The reader then sends no further changes.
    func sessionEnded()
}
