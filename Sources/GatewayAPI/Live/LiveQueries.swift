import HTTPServer
import Logging
import ParseModel
import StoreService
import Synchronization

/// The live queries on one store. Each change is read once and compared once with each group of equal subscriptions.
///
/// A subscription first reads the changes after its position from the store by itself (`LiveQueries+CatchUp.swift`). When it has reached
/// the position of `LiveQueries`, it joins its group. If its connection cannot send fast enough, it leaves the group,
/// and later reads the missed changes.
package final class LiveQueries: Sendable {
    struct Group: Sendable {
        /// The conditions: those of the query, and those with the present ids of renamed objects.
        var predicates: [Predicate]
        var reader: LiveReader
        var members: [ObjectIdentifier: LiveSubscription] = [:]
    }

    struct State: Sendable {
        var subscriptions: [ObjectIdentifier: LiveSubscription] = [:]
        var groups: [LiveGroupKey: Group] = [:]
        /// The groups of each class.
        var indexes: [String: LiveIndex<LiveGroupKey>] = [:]
        /// Every change up to this number was taken for the groups. A subscription that joins must have read as far.
        var position: Int64 = 0
        /// Every change up to this number was delivered to the groups.
        var delivered: Int64 = 0
        var isDue = false
        var isReading = false
        /// The classes that the store follows, each with the uptime until which it does.
        var followed: [String: Duration] = [:]
        var ticker: Task<Void, Never>?
        /// The positions of clients that have left, until they are stored in the file.
        var left: [LiveSubscriptionKey: Int64] = [:]
    }

    /// What live queries need of the other parts of an API.
    struct Links: Sendable {
        /// Inserts file URLs into a message for a client.
        /// - Parameter base: the beginning of the URLs, before `/files`.
        let addressed: @Sendable (_ message: [UInt8], _ base: String, _ principal: Principal) throws -> [UInt8]
        /// Answers a query with `{"results":[…]}` as JSON text.
        let find: @Sendable (LiveQuery, LiveReader, HTTPClientPresence) async throws -> [UInt8]
        /// Runs a check of rights on a class, after the waits that the product needs before it knows the rights and has the
        /// objects.
        let whenReady:
            @Sendable (_ className: String, _ check: @escaping @Sendable () throws -> Void) async throws -> Void
        /// Whether a session is open; nil if subscriptions have no sessions that can end.
        let isOpen: (@Sendable (_ token: String) -> Bool)?
    }

    let store: any ObjectStore
    let environment: Environment
    let logger: Logger
    let positions: FeedPositions
    let links: Links
    /// The number of changes by which a subscription that was up to date may fall behind before its connection is closed.
    let lagMax: Int64
    /// The time for which the store keeps what a client that comes back has missed.
    let lifetime: Duration
    let state = Mutex(State())

    static let pageMax = 500
    /// The minimum time for which the store keeps the states of a class after the last renewal. A renewal takes place when
    /// half of the time is left.
    private static let followedMin = Duration.seconds(120)
    /// The number of followed classes from which the store follows only classes that it has. Each class is a row of the file.
    private static let followedMax = 1000
    /// The interval at which positions are confirmed and stored, and clients are checked.
    private static let tick = Duration.seconds(1)

    var live: any LiveStore { store.live }

    /// - Parameters:
    ///   - lagMax: the number of changes by which a subscription that was up to date may fall behind.
    ///   - lifetime: the time for which the store keeps what a client that comes back has missed.
    init(
        store: any ObjectStore, positions: FeedPositions, links: Links, lagMax: Int, lifetime: Duration,
        environment: Environment, logger: Logger
    ) {
        (self.store, self.positions, self.links) = (store, positions, links)
        (self.environment, self.logger) = (environment, logger)
        (self.lagMax, self.lifetime) = (Int64(lagMax), lifetime)
    }

    var count: Int { state.withLock { $0.subscriptions.count } }

    // MARK: Subscribing

    /// Checks that a reader may subscribe to a query.
    /// - Throws: `ParseError` as for the same query by REST.
    func check(_ query: LiveQuery, _ reader: LiveReader) async throws {
        // `explain` checks the rights on the class, hidden fields and regular expressions, and reads no objects.
        try await links.whenReady(query.className) { [store] in
            _ = try store.explain(
                query.className, ParseQuery(predicate: query.predicate), as: reader.principal, timeout: .unlimited)
        }
        guard let watch = query.watch, !reader.principal.readsEverything else { return }
        let hidden = try live.rules(of: query.className, as: reader.principal).hiddenFields
        guard watch.contains(where: { hidden.contains($0.segments[0]) }) else { return }
        throw ParseError.denial(
            .operationForbidden, "This user is not allowed to watch a protected field of \(query.className)")
    }

    /// The position from which a subscription starts: after the client's own position, after the last change that the
    /// client has surely received, or after the newest change.
    /// - Parameter since: the position that the client has named; nil for none.
    /// - Throws: `StoreError.feedTrimmed` if the changes after the position are no longer known. `APIError.foreignPosition`
    ///   and `ParseError` for a wrong position.
    func start(
        of query: LiveQuery, _ reader: LiveReader, _ key: LiveSubscriptionKey?, since: JSONValue?
    ) async throws -> Int64 {
        try checkRoom(for: query.className)
        try await follow(query.className)
        let known =
            if let since, !since.isNull { try positions.since(["since": since]) } else {
                try key.flatMap { try position(of: $0) }
            }
        if let known { try await check(known, query, reader, key) }
        let start = try known ?? live.newest()
        // The position is on disk before the client hears of the subscription, so a crash cannot make the client miss events.
        if let key { try await live.remember([key: start], for: lifetime) }
        return start
    }

    /// Checks that all changes after a position are known.
    private func check(
        _ position: Int64, _ query: LiveQuery, _ reader: LiveReader, _ key: LiveSubscriptionKey?
    ) async throws {
        do {
            _ = try live.changes(since: position, classes: [query.className], limit: 1, for: reader)
        } catch StoreError.feedTrimmed(let oldest, let newest) {
            // The next subscription of the client starts after the newest change.
            state.withLock { $0.followed[query.className] = nil }
            if let key { try await live.forget(key) }
            throw StoreError.feedTrimmed(oldest: oldest, newest: newest)
        }
    }

    /// Begins to deliver events. The subscription may get its first event before this returns.
    func begin(_ subscription: LiveSubscription) {
        state.withLock { state in
            state.subscriptions[ObjectIdentifier(subscription)] = subscription
            guard state.ticker == nil else { return }
            state.ticker = environment.task { [weak self, environment] in
                while (try? await environment.sleep(Self.tick)) != nil, !Task.isCancelled {
                    self?.checkClients()
                    guard await self?.confirmAndStore() == true else { return }
                }
            }
        }
        resume(subscription)
    }

    /// Ends a subscription.
    /// - Parameter forgets: whether a later subscription with the same key starts after the newest change.
    /// - Returns: the task that stores this; nil if there is nothing to store.
    @discardableResult
    func end(_ subscription: LiveSubscription, forgets: Bool) -> Task<Void, Never>? {
        guard let safe = state.withLock({ state in leave(subscription, forgets: forgets, &state) }),
            let key = subscription.key
        else { return nil }
        return environment.task { [self] in
            do {
                if forgets {
                    try await live.forget(key)
                } else {
                    try await live.remember([key: safe], for: lifetime)
                }
                state.withLock { if $0.left[key] == safe { $0.left[key] = nil } }
            } catch {
                logger.warning("the position of a live query cannot be stored: \(error)")
            }
        }
    }

    /// - Returns: the position after which the client lacks no earlier event; nil if the subscription had ended before.
    private func leave(_ subscription: LiveSubscription, forgets: Bool, _ state: inout State) -> Int64? {
        let delivered = state.delivered
        guard let safe = subscription.end(deliveredTo: delivered) else { return nil }
        state.subscriptions[ObjectIdentifier(subscription)] = nil
        Self.leave(subscription, &state)
        if let key = subscription.key { state.left[key] = forgets ? nil : safe }
        return safe
    }

    /// The number of the last change that the client of a subscription has surely received; nil for a new client.
    private func position(of key: LiveSubscriptionKey) throws -> Int64? {
        let known = state.withLock { state in
            // The connection of a client that has come back may still look open.
            let present = state.subscriptions.values.filter { $0.key == key }
            return present.map { $0.safePosition(deliveredTo: state.delivered) }.min() ?? state.left[key]
        }
        return try known ?? live.position(of: key)
    }

    /// Ends what clients may no longer have, even if there are no changes that concern them.
    private func checkClients() {
        checkSessions()
        do { try dropSlowClients() } catch {
            logger.warning("it is unknown which clients of live queries read too slowly: \(error)")
        }
    }

    /// Ends the subscriptions whose sessions have ended.
    func checkSessions() {
        let subscriptions = state.withLock { $0.subscriptions.values.filter { $0.session != nil } }
        // Each session is looked up once, whatever the number of its subscriptions.
        for members in Dictionary(grouping: subscriptions, by: \.session).values
        where members.first?.mayContinue() == false {
            for member in members { stop(member, for: ParseError.invalidSession, reconnects: false) }
        }
    }

    /// The objects that match the query of a subscription now: `{"results":[…]}` as JSON text.
    func find(_ subscription: LiveSubscription, _ client: HTTPClientPresence) async throws -> [UInt8] {
        guard subscription.mayContinue(), let reader = try present(subscription.reader) else {
            throw ParseError.invalidSession
        }
        return try await links.find(subscription.query, reader, client)
    }

    /// A message with file URLs inserted.
    func addressed(_ text: [UInt8], base: String, for reader: LiveReader) throws -> [UInt8] {
        try links.addressed(text, base, reader.principal)
    }

    /// Checks that the store may follow a class.
    /// - Throws: `LiveError.tooManyClasses`.
    private func checkRoom(for className: String) throws {
        let now = environment.uptime()
        let hasRoom = state.withLock { state in
            if let end = state.followed[className], end > now { return true }
            state.followed = state.followed.filter { $0.value > now }
            return state.followed.count < Self.followedMax
        }
        guard try hasRoom || ClassName.special.contains(className) || store.classNames().contains(className) else {
            throw LiveError.tooManyClasses(max: Self.followedMax)
        }
    }

    /// Lets the store keep the states before the changes of a class.
    private func follow(_ className: String) async throws {
        let now = environment.uptime()
        let time = max(lifetime * 2, Self.followedMin)
        // At least half of the time is left, so that few subscriptions write to the file.
        if state.withLock({ $0.followed[className].map { $0 - now > time / 2 } == true }) { return }
        _ = try await live.follow([className], for: time)
        state.withLock { $0.followed[className] = now + time }
    }

    // MARK: Groups

    /// Adds a subscription to its group, if it has reached the position up to which the groups have got changes.
    /// - Returns: false if it has to read further changes first.
    func join(_ subscription: LiveSubscription, _ predicates: [Predicate], _ reader: LiveReader) -> Bool {
        state.withLock { state in
            let position = subscription.position
            if state.groups.isEmpty { (state.position, state.delivered) = (position, position) }
            guard position >= state.position else { return false }
            let isLive = subscription.state.withLock { own in
                guard own.mode == .reading else { return false }
                own.mode = .live
                own.hasKeptUp = true
                return true
            }
            guard isLive else { return true }
            let key = subscription.group
            if state.groups[key] == nil {
                state.groups[key] = Group(predicates: predicates, reader: reader)
                state.indexes[key.className, default: LiveIndex()].insert(key, predicates)
            }
            state.groups[key]?.members[ObjectIdentifier(subscription)] = subscription
            return true
        }
    }

    static func leave(_ subscription: LiveSubscription, _ state: inout State) {
        let key = subscription.group
        state.groups[key]?.members[ObjectIdentifier(subscription)] = nil
        guard let group = state.groups[key], group.members.isEmpty else { return }
        state.indexes[key.className]?.remove(key, group.predicates)
        if state.indexes[key.className]?.isEmpty == true { state.indexes[key.className] = nil }
        state.groups[key] = nil
    }

    /// Replaces the conditions and the rights of a group.
    func update(_ key: LiveGroupKey, _ predicates: [Predicate], _ reader: LiveReader) {
        state.withLock { state in
            guard var group = state.groups[key] else { return }
            if group.predicates != predicates {
                state.indexes[key.className]?.remove(key, group.predicates)
                state.indexes[key.className, default: LiveIndex()].insert(key, predicates)
            }
            (group.predicates, group.reader) = (predicates, reader)
            state.groups[key] = group
        }
    }

    /// The conditions of a query, and the same conditions with the present ids of renamed objects.
    func predicates(of query: LiveQuery) throws -> [Predicate] {
        let resolved = try live.resolvingIds(in: query.predicate, of: query.className)
        return resolved == query.predicate ? [query.predicate] : [query.predicate, resolved]
    }

    // MARK: Positions

    /// Asks the clients which events they have received, and stores their positions.
    /// - Returns: false if there are no subscriptions.
    private func confirmAndStore() async -> Bool {
        let (subscriptions, delivered) = state.withLock { state in
            if state.subscriptions.isEmpty {
                state.ticker = nil
                return ([LiveSubscription](), Int64(0))
            }
            return (Array(state.subscriptions.values), state.delivered)
        }
        guard !subscriptions.isEmpty else { return false }
        let now = environment.uptime()
        var due: [LiveSubscriptionKey: Int64] = [:]
        for subscription in subscriptions {
            if subscription.hasUnconfirmed { subscription.client.askForConfirmation() }
            guard let key = subscription.key else { continue }
            guard let safe = subscription.positionToStore(now: now, deliveredTo: delivered, lifetime: lifetime)
            else { continue }
            due[key] = min(safe, due[key] ?? safe)
        }
        do {
            if !due.isEmpty { try await live.remember(due, for: lifetime) }
            for className in Set(subscriptions.map(\.query.className)) { try await follow(className) }
        } catch {
            logger.warning("the positions of live queries cannot be stored: \(error)")
        }
        return true
    }
}

extension LiveSubscription {
    /// The number of changes after which a position is stored although the client has got no event.
    private static let storedGapMax: Int64 = 1000

    /// The position to store now; nil if the stored one is good enough.
    /// - Parameter delivered: the position of all subscriptions that are up to date.
    fileprivate func positionToStore(now: Duration, deliveredTo delivered: Int64, lifetime: Duration) -> Int64? {
        state.withLock { state in
            if state.mode == .live { state.position = max(state.position, delivered) }
            let safe = state.safePosition
            if let stored = state.stored {
                let hasEvents = state.sent > stored && safe > stored
                guard hasEvents || safe - stored > Self.storedGapMax || now - state.storedAt > lifetime / 4 else {
                    return nil
                }
            }
            (state.stored, state.storedAt) = (safe, now)
            return safe
        }
    }
}

extension LiveQueries: MetricsSource {
    package func families() -> [MetricFamily] {
        [.gauge("tidegate_live_subscriptions", "Subscriptions of live queries.", Double(count))]
    }
}
