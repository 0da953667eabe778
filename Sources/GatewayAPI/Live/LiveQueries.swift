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
        var groups: [LiveGroupKey: Group] = [:]
        /// The groups of each class.
        var indexes: [String: LiveIndex<LiveGroupKey>] = [:]
        /// Every change up to this number was taken for the groups. A subscription that joins must have read as far.
        var position: Int64 = 0
        /// Every change up to this number was delivered to the groups.
        var delivered: Int64 = 0
        /// The classes that the store follows.
        var followed: [String: Followed] = [:]
        /// The tasks that store the positions of subscriptions that have ended, by the id of the position.
        var ending: [Int64: (key: LiveSubscriptionKey, task: Task<Void, Never>)] = [:]
    }

    struct Followed: Sendable {
        /// The uptime until which the store follows the class.
        var end: Duration
        /// The number after which the store has the states of all changes.
        let start: Int64
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
    let readers: FeedReaders
    let environment: Environment
    let logger: Logger
    let positions: FeedPositions
    let links: Links
    /// The time for which the store keeps what a client that comes back has missed.
    let lifetime: Duration
    /// Identifies this process as the holder of positions.
    let holder: Int64
    let state = Mutex(State())

    static let pageMax = 500
    /// The minimum time for which the store keeps the states of a class after the last renewal. A renewal takes place when
    /// half of the time is left.
    private static let followedMin = Duration.seconds(120)
    /// The number of followed classes from which the store follows only classes that it has. Each class is a row of the file.
    private static let followedMax = 1000

    var live: any LiveStore { store.live }

    /// - Parameters:
    ///   - lifetime: the time for which the store keeps what a client that comes back has missed.
    init(
        store: any ObjectStore, readers: FeedReaders, positions: FeedPositions, links: Links, lifetime: Duration,
        environment: Environment, logger: Logger
    ) {
        (self.store, self.readers, self.positions, self.links) = (store, readers, positions, links)
        (self.environment, self.logger, self.lifetime) = (environment, logger, lifetime)
        holder = Int64(bitPattern: environment.random())
        readers.onNewChanges { [weak self] in await self?.deliverNew() }
        readers.onTick { [weak self] in await self?.tick() }
    }

    private var subscriptions: [LiveSubscription] { readers.all(LiveSubscription.self) }

    // MARK: Subscribing

    /// Checks that a reader may subscribe to a query.
    /// - Throws: `ParseError` as for the same query by REST.
    func check(_ query: LiveQuery, _ reader: LiveReader) async throws {
        // `explain` checks the rights on the class, hidden fields and regular expressions, and reads no objects.
        try await links.whenReady(query.className) { [store] in
            _ = try store.explain(
                query.className, ParseQuery(predicate: query.predicate), as: reader.principal, timeout: .unlimited)
        }
        try query.checkWatch(try live.rules(of: query.className, as: reader.principal))
    }

    /// The place at which a subscription starts: after the client's own position, after the last change that the client has
    /// surely received, or after the newest change. A client that comes back too late starts after the newest change, too: the
    /// Parse SDKs keep their installation id, so a newly loaded page looks like such a client.
    /// - Parameter since: the position that the client has named; nil for none.
    /// - Throws: `StoreError.feedTrimmed` if the changes after `since` are no longer known. `APIError.foreignPosition`
    ///   and `ParseError` for a wrong position.
    func start(
        of query: LiveQuery, _ reader: LiveReader, _ key: LiveSubscriptionKey?, since: JSONValue?
    ) async throws -> LiveSubscription.Start {
        try checkRoom(for: query.className)
        try await follow(query.className)
        let named = since?.isNull == false ? try positions.since(["since": since ?? .null]) : nil
        guard let key else {
            if let named { try check(named, query, reader) }
            return LiveSubscription.Start(number: try named ?? live.newest(), kept: nil)
        }
        for ending in state.withLock({ $0.ending.values.filter { $0.key == key } }) { await ending.task.value }
        // The position is on disk before the client hears of the subscription, so a crash cannot make the client miss events.
        let position = try await live.takePosition(
            of: key, by: holder, notAfter: presentPosition(of: key), for: lifetime)
        let start = LiveSubscription.Start(
            number: named ?? position.number, kept: LiveSubscription.KeptPosition(key: key, id: position.id))
        do {
            guard position.isComplete || named != nil else {
                throw StoreError.feedTrimmed(oldest: position.number + 1, newest: position.number)
            }
            try check(start.number, query, reader)
        } catch StoreError.feedTrimmed(let oldest, let newest) {
            // This subscription, or the next one of a client with a `since`, starts after the newest change.
            let trimmed = StoreError.feedTrimmed(oldest: oldest, newest: newest)
            try await live.remember([position.id: newest], by: named == nil ? holder : nil, for: lifetime)
            guard named == nil else { throw trimmed }
            return LiveSubscription.Start(number: newest, kept: start.kept, missing: trimmed)
        } catch {
            await abandon(start)
            throw error
        }
        return start
    }

    /// Checks that all changes after a position are known.
    private func check(_ position: Int64, _ query: LiveQuery, _ reader: LiveReader) throws {
        do {
            _ = try live.changes(since: position, classes: [query.className], limit: 1, for: reader)
        } catch StoreError.feedTrimmed(let oldest, let newest) {
            state.withLock { $0.followed[query.className]?.end = .zero }
            throw StoreError.feedTrimmed(oldest: oldest, newest: newest)
        }
    }

    /// Begins to deliver events. The subscription may get its first event before this returns.
    func begin(_ subscription: LiveSubscription) {
        readers.add(subscription)
        resume(subscription)
    }

    /// Ends a subscription.
    /// - Parameter forgets: whether a later subscription with the same key starts after the newest change.
    /// - Returns: the task that stores this; nil if there is nothing to store.
    @discardableResult
    func end(_ subscription: LiveSubscription, forgets: Bool) -> Task<Void, Never>? {
        state.withLock { state in
            guard let safe = leave(subscription, &state), let kept = subscription.kept else { return nil }
            let task = environment.task { [self] in await storeEnd(forgets ? nil : safe, kept) }
            state.ending[kept.id] = (kept.key, task)
            return task
        }
    }

    /// - Returns: the position after which the client lacks no earlier event; nil if the subscription had ended before.
    private func leave(_ subscription: LiveSubscription, _ state: inout State) -> Int64? {
        guard let safe = subscription.end(deliveredTo: state.delivered) else { return nil }
        readers.remove(subscription)
        Self.leave(subscription, &state)
        return safe
    }

    /// Called once a second.
    private func tick() async {
        do { try dropSlowClients() } catch {
            logger.warning("it is unknown which clients of live queries read too slowly: \(error)")
        }
        await confirmAndStore()
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
            if let followed = state.followed[className], followed.end > now { return true }
            // The starts of the other classes show whether their subscriptions were interrupted.
            let used = Set(subscriptions.map(\.query.className))
            state.followed = state.followed.filter { $0.value.end > now || used.contains($0.key) }
            return state.followed.count < Self.followedMax
        }
        guard try hasRoom || ClassName.special.contains(className) || store.classNames().contains(className) else {
            throw LiveError.tooManyClasses(max: Self.followedMax)
        }
    }

    /// Lets the store keep the states before the changes of a class. If it has stopped to keep those of any class, ends the
    /// subscriptions to that class, because they may have missed events.
    func follow(_ className: String) async throws {
        let now = environment.uptime()
        let time = max(lifetime * 2, Self.followedMin)
        // At least half of the time is left, so that few subscriptions write to the file.
        if state.withLock({ $0.followed[className].map { $0.end - now > time / 2 } == true }) { return }
        let classes = Set(subscriptions.map(\.query.className)).union([className])
        let starts = try await live.follow(classes, for: time)
        let interrupted = state.withLock { state in
            let interrupted = starts.filter { name, start in state.followed[name].map { start > $0.start } == true }
            for (name, start) in starts { state.followed[name] = Followed(end: now + time, start: start) }
            return subscriptions.filter { interrupted[$0.query.className] != nil }
        }
        for subscription in interrupted {
            let newest = try live.newest()
            stop(subscription, for: StoreError.feedTrimmed(oldest: newest + 1, newest: newest))
        }
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
}

extension LiveQueries: MetricsSource {
    package func families() -> [MetricFamily] {
        [
            .gauge(
                "tidegate_live_subscriptions", "Subscriptions of live queries.",
                Double(readers.count(of: LiveSubscription.self)))
        ]
    }
}
