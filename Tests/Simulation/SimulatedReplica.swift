import DatasyncRemote
import Gateway
import LocalStore
import Logging
import ParseModel
import ParseRemote
import RemoteService
import StoreService
import SyncEngine
import SyncModel
import Synchronization

/// A replica of the server: its file, its engine, and its process, which may end at any commit.
final class SimulatedReplica: Sendable {
    static let classes = ["Note", "Place"]

    /// The error that ends the process just before or just after a commit. The callers of the writes in this commit get
    /// the error, even if the commit is on disk.
    struct Crash: Error {}

    /// One run of the process, from opening the file to its end.
    struct Process: Sendable {
        let store: LocalStore
        let engine: SyncEngine
        /// The engine's own sync loop; nil if the simulation requests each sync.
        let loop: EngineLoop?
    }

    private struct State {
        var process: Process?
        var hasEnded = false
        /// The number of commits until the process ends; nil if no crash is scheduled.
        var commitsLeft: Int?
        var endsBeforeCommit = false
        var feed = FeedMirror()
        /// The objects that the feed shows to users, in runs of kind `site`.
        var copies: [String: FeedCopy] = [:]
        var findings: [String] = []
    }

    /// The latest backup of the replica's directory.
    let backup = Mutex<Backup?>(nil)
    let index: Int
    let clock: PartyClock
    let transport: FaultyTransport
    let settings: ClassSettings
    let directory: String
    private let random: PartyRandom
    let sabotage: Sabotage?
    private let kind: SeedKind
    /// Lets the writes to the replica's store run alone or together.
    let writes = WriteGate()
    /// The limits that the server has named in its refusals.
    private let limits = RemoteLimits()
    /// The sessions of users that the replica knows, in runs of kind `site`.
    let sessions = SimulatedSessions()
    private let trace: Trace
    private let state: Mutex<State>

    var name: String { "replica\(index)" }

    /// - Parameter duringRequest: runs the user actions during a request of this replica.
    init(
        index: Int, directory: String, server: SimulatedServer, time: SimulatedTime, seed: UInt64,
        shared: ClassSettings.Shared, trace: Trace, sabotage: Sabotage?, kind: SeedKind,
        unknownCreates: UnknownCreates?,
        duringRequest: @escaping @Sendable (SimulatedReplica) async -> Void
    ) async throws {
        self.index = index
        self.directory = directory
        self.trace = trace
        self.sabotage = sabotage
        self.kind = kind
        let random = PartyRandom(seed: seed, of: "replica\(index)")
        self.random = random
        settings = ClassSettings(shared: shared, PartyRandom(seed: seed, of: "classes\(index)"), kind)
        clock = PartyClock(
            time, driftPpm: random.within(-200...200), offsetMs: Int64(random.within(-86_400_000...86_400_000)))
        state = Mutex(State())
        let me = Reference()
        transport = FaultyTransport(
            to: server, name: "replica\(index)", time: time, random: PartyRandom(seed: seed, of: "network\(index)"),
            hasLargeRows: SimulatedUsers.hasLargeRows(seed), bounds: PartyRandom(seed: seed, of: "bounds\(index)"),
            trace: trace, unknownCreates: unknownCreates,
            refusals: ServerRefusals(kind, seed: seed, of: "replica\(index)"), sabotage: sabotage,
            hasEnded: { me.replica?.hasEnded ?? true },
            duringRequest: { if let replica = me.replica { await duringRequest(replica) } })
        me.set(self)
        try await start()
    }

    /// The current process. A process that has ended stays here until `restart`. Nil during the restart.
    var process: Process? { state.withLock { $0.process } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    var findings: [String] { state.withLock { $0.findings } }

    // MARK: Process lifetime

    /// Schedules the end of the process at one of its next commits.
    func scheduleCrash() {
        let commits = random.within(1...6)
        let before = random.chance(0.5)
        trace.note("\(name) will end \(before ? "before" : "after") commit \(commits)")
        state.withLock {
            $0.commitsLeft = commits
            $0.endsBeforeCommit = before
        }
    }

    /// Cancels a scheduled crash.
    func cancelCrash() { state.withLock { $0.commitsLeft = nil } }

    /// Ends the current process, if it is still running, and starts the next process on the same file.
    func restart() async throws {
        trace.note("\(name) restarts")
        await end()
        try await start()
    }

    private func end() async {
        await process?.loop?.end()
        state.withLock {
            $0.hasEnded = true
            $0.process = nil
        }
    }

    /// Ends the current process, and starts the next process on the file of a backup.
    /// - Parameter replace: puts the backup in the place of the file, which no process has open.
    func restart(replacing replace: () throws -> Void) async throws {
        await end()
        try replace()
        state.withLock { $0.feed.isRestarting = true }
        try await start()
        guard let store = process?.store else { return }
        let finding = try state.withLock { try $0.feed.startOver(store, Self.classes) }
        if let finding { addFinding(finding) }
    }

    private func start() async throws {
        state.withLock {
            $0.hasEnded = false
            $0.commitsLeft = nil
        }
        var configuration = storeConfiguration()
        let timers = kind == .timers ? SimulatedTimers() : nil
        let environment = clock.environment(random, timers: timers, forgetsRetries: sabotage == .retriesForgotten)
        let valueRules = RemoteValues()
        if kind.speaksDatasync { configuration.valueRules = valueRules }
        let store = try LocalStore(configuration, environment: environment)
        if kind == .site {
            for name in ["_User", "_Role"] {
                try await store.classes.registerClass(name, files: FileDownloads(), opField: nil)
            }
        }
        for name in Self.classes {
            try await store.classes.configureClass(name) { [settings] options, pulls in
                options = settings.options(of: name)
                pulls = settings.pulls(of: name)
            }
        }
        let remote = remote(of: store)
        valueRules.belong(to: remote)
        var options = sabotage?.options ?? SyncOptions()
        options.replicaId = store.replicaId
        kind.set(&options)
        if sabotage == .noRecentAudit { options.recentAuditInterval = .seconds(365 * 24 * 3600) }
        let engine = SyncEngine(
            store: sabotage?.store(store.sync(as: .gateway)) ?? store.sync(as: .gateway),
            remote: sabotage?.remote(remote) ?? remote, authors: authors(reading: remote, of: store), options: options,
            environment: environment,
            logger: Logger(label: name) { _ in SwiftLogNoOpLogHandler() })
        let loop = timers.map { EngineLoop(of: engine, clock: clock, timers: $0) }
        state.withLock { $0.process = Process(store: store, engine: engine, loop: loop) }
        await loop?.begin()
    }

    private func storeConfiguration() -> StoreConfiguration {
        var configuration = StoreConfiguration(
            directory: directory,
            identity: StoreIdentity(
                remote: StoreIdentity.Remote(url: "http://localhost/parse", applicationId: "simulation")))
        configuration.synchronous = .normal
        if kind == .manyPages {
            // The first replica stores several pages in one write. The other replicas store a part of a page in a write
            // if users write at the same time.
            configuration.pageWrites = RecentCommits.Limits(
                commitsOfPagesMin: index == 0 ? 0 : 10, rowsUsual: 3, rowsBesideOthers: 2)
        }
        configuration.allowsChosenIds = kind == .creates
        if kind == .site { configuration.rights = .site }
        configuration.seesEverything = kind == .site
        if sabotage == .authorsCondensed { configuration.author = Self.firstAuthor() }
        if let sabotage { configuration.rebase = sabotage.rebase(at: settings, transport.server) }
        configuration.audit = { [weak self, name] before, after, event in
            self?.trace.detail("\(name) \(LifeTrace(event: event, after: after))")
            if case .chosen(let entry, _) = event { self?.noteSent(entry) }
            for line in StepTable.violations(from: before, to: after, by: event) {
                self?.addFinding("\(after.className) \(after.objectId): \(line)")
            }
        }
        configuration.executor = writes.executor
        configuration.watch = CommitWatch(
            willCommit: { [weak self] in try self?.beforeCommit() },
            didCommit: { [weak self] in try self?.afterCommit() })
        return configuration
    }

    private func remote(of store: LocalStore) -> any RemoteService {
        if kind.speaksDatasync {
            return DatasyncRemote(
                configuration: DatasyncRemote.Configuration(serverURL: TablesSettings.url) {
                    [weak store] className throws(RemoteError) in
                    guard let mapping = try? await store?.sync(as: .gateway).mapping(of: className) else {
                        throw .unreachable(reason: "the mapping of \(className) cannot be read")
                    }
                    return mapping
                }, transport: sabotage?.transport(transport) ?? transport)
        }
        if kind.hasTables {
            return VersionedRemote(
                of: transport.server, over: transport, name: name, keepsTombstones: kind.keepsTombstones)
        }
        var configuration = parse(store)
        if kind == .site { configuration.masterKey = UserRegister.masterKey }
        return ParseRemote(configuration: configuration, transport: transport)
    }

    private func parse(_ store: LocalStore) -> ParseRemote.Configuration {
        var configuration = ParseRemote.Configuration(
            serverURL: "http://localhost/parse", applicationId: "simulation", replicaId: store.replicaId,
            batchMax: Self.smallBatches.contains(kind) ? 2 : 5,
            pageSize: kind == .manyPages ? 3 : 20)
        if kind == .strict {
            configuration.batchMax = 50
            configuration.limits = limits
            configuration.wait = { [time = transport.time] in time.advance(ms: Int($0 / .milliseconds(1))) }
            // With this deliberate bug, the engine receives each refusal for a rate limit at once.
            if sabotage == .rateLimitFinal { configuration.wait = nil }
        }
        return configuration
    }

    /// The kinds of runs with small batches: a few changes already fill several batches, which are sent at the same
    /// time.
    private static let smallBatches: Set<SeedKind> = [.creates, .crashes, .manyPages, .failingWrites, .haste]

    private func authors(reading remote: any RemoteService, of store: LocalStore) -> (any AuthorRemotes)? {
        guard kind == .site else { return nil }
        let configuration = parse(store)
        return SimulatedAuthors(sessions: sessions, reading: remote, sabotage: sabotage) { [transport] source in
            var configuration = configuration
            configuration.sessions = source
            return ParseRemote(configuration: configuration, transport: transport)
        }
    }

    /// In runs of kind `site`, reads the permissions of the classes from the server, as a real replica does after a
    /// sync.
    private func takeSchemas(of process: Process) async {
        guard kind == .site, let schemas = remote(of: process.store).schemas,
            let described = try? await schemas.classSchemas(of: Self.classes)
        else { return }
        try? await process.store.classes.takeRemoteSchemas(described)
    }

    /// For a deliberate bug: names the first author of a change as the author of all changes.
    private static func firstAuthor() -> @Sendable (Principal) -> SyncAuthor {
        let first = FirstAuthor()
        return { principal in
            first.author.withLock { known in
                let author = known ?? SyncAuthor(of: principal)
                if author != .gateway { known = author }
                return author
            }
        }
    }

    private final class FirstAuthor: Sendable {
        let author = Mutex<SyncAuthor?>(nil)
    }

    private func noteSent(_ entry: OutboxEntry) {
        transport.server.tables?.increments.withLock { $0.noteSent(entry.id, of: entry.objectId, by: name) }
    }

    /// Runs a sync that a user requests.
    /// - Returns: nil if no process is running.
    func sync(_ call: SyncRequest) async -> SyncOutcome? {
        guard let process else { return nil }
        let outcome = if let loop = process.loop { await loop.sync(call) } else { await process.engine.sync(call) }
        if case .finished = outcome { await takeSchemas(of: process) }
        checkRights(of: process)
        checkRejections(of: process)
        return outcome
    }

    /// Checks that no temporary refusal has become a rejection at one of the first attempts, and that no rate limit has
    /// become one at all.
    private func checkRejections(of process: Process) {
        guard kind == .refusals || kind == .strict else { return }
        for rejection in (try? process.store.decisions.rejections(as: .master)) ?? [] {
            switch rejection.code {
            case ParseError.Code.invalidJSON.rawValue where rejection.attempts < SyncOptions().attemptsMax:
                addFinding("a temporary refusal is final after \(rejection.attempts) attempts")
            case ParseError.Code.requestLimitExceeded.rawValue: addFinding("a rate limit is final")
            default: break
            }
        }
    }

    /// Runs the engine's due timers.
    /// - Returns: the outcome of the engine's latest sync; nil if no process is running, or if the engine has not synced yet.
    func ownSync() async -> SyncOutcome? {
        guard let process else { return nil }
        await process.loop?.runDueTimers()
        let status = await process.engine.status
        return status.lastErrorKind == nil
            ? status.lastSummary.map(SyncOutcome.finished)
            : .failed(.offline(reason: status.lastError ?? "", retryAfter: nil))
    }

    private func beforeCommit() throws {
        let ends = state.withLock { state in
            guard !state.hasEnded else { return true }
            guard let left = state.commitsLeft else { return false }
            state.commitsLeft = left - 1
            guard left <= 1, state.endsBeforeCommit else { return false }
            state.hasEnded = true
            return true
        }
        if ends { throw Crash() }
    }

    private func afterCommit() throws {
        check()
        let ends = state.withLock { state in
            guard let left = state.commitsLeft, left <= 0 else { return false }
            state.hasEnded = true
            return true
        }
        if ends { throw Crash() }
    }

    // MARK: Checks at every commit

    private func check() {
        guard let store = process?.store else { return }
        do {
            for line in try store.invariantViolations() { addFinding(line) }
            try state.withLock { try $0.feed.follow(store, Self.classes) }
            try followFeeds(of: store)
        } catch {
            addFinding("the file cannot be read: \(error)")
        }
    }

    func addFinding(_ line: String) {
        trace.note("\(name) finding: \(line)")
        state.withLock { if $0.findings.count < 20 { $0.findings.append("\(name): \(line)") } }
    }

    /// The objects as the change feed shows them, by `Class/objectId`.
    var mirror: [String: String] { state.withLock { $0.feed.objects } }

    /// Reads the change feed as each user of the server does, in runs of kind `site`.
    private func followFeeds(of store: LocalStore) throws {
        for userId in transport.server.users.ids {
            let user = UserRegister.principal(userId, in: store)
            var copy = state.withLock { $0.copies[userId] } ?? FeedCopy()
            try copy.follow(store, as: user)
            state.withLock { [copy] in $0.copies[userId] = copy }
        }
    }

    /// The objects as the change feed shows them to a user.
    func copy(of userId: String) -> FeedCopy { state.withLock { $0.copies[userId] } ?? FeedCopy() }

    /// A weak reference to the replica. The transport needs it, because the transport is made before the replica.
    private final class Reference: Sendable {
        private struct Weak {
            weak var replica: SimulatedReplica?
        }

        private let weakly = Mutex(Weak())
        var replica: SimulatedReplica? { weakly.withLock { $0.replica } }
        func set(_ replica: SimulatedReplica) { weakly.withLock { $0.replica = replica } }
    }
}
