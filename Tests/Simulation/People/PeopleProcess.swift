import LocalStore
import ParseModel
import StoreService
import SyncModel
import Synchronization

/// One process of a gateway, from its start to its end. It may end at any commit.
final class PeopleProcess: Sendable {
    /// The error that ends the process just before or just after a commit.
    struct Crash: Error {}

    private struct State {
        var hasEnded = false
        /// The number of commits until the process ends; nil if no crash is scheduled.
        var commitsLeft: Int?
        var endsBeforeCommit = false
    }

    private let state = Mutex(State())

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func end() { state.withLock { $0.hasEnded = true } }

    /// Schedules the end of the process at one of its next commits.
    func scheduleCrash(afterCommits count: Int, isBefore: Bool) {
        state.withLock { ($0.commitsLeft, $0.endsBeforeCommit) = (count, isBefore) }
    }

    func cancelCrash() { state.withLock { $0.commitsLeft = nil } }

    /// The observer of the commits of all stores of the process.
    var watch: CommitWatch {
        CommitWatch(
            willCommit: { [self] in if endsNow(isBefore: true) { throw Crash() } },
            didCommit: { [self] in if endsNow(isBefore: false) { throw Crash() } })
    }

    private func endsNow(isBefore: Bool) -> Bool {
        state.withLock { state in
            if state.hasEnded { return true }
            guard let left = state.commitsLeft else { return false }
            if isBefore { state.commitsLeft = left - 1 }
            guard isBefore ? left <= 1 && state.endsBeforeCommit : left <= 0 else { return false }
            state.hasEnded = true
            return true
        }
    }
}

/// Opens the stores of one process of a gateway: real SQLite files, with writes on the caller's thread.
final class PeopleStores: StoreKind {
    private struct Weak {
        weak var store: LocalStore?
    }

    private let base = LocalStoreKind()
    private let process: PeopleProcess
    private let sabotage: Sabotage?
    private let onEvent: LifeObserver
    private let opened = Mutex<[String: Weak]>([:])

    typealias LifeObserver = @Sendable (_ before: ObjectLife, _ after: ObjectLife, LifeEvent) -> Void

    /// - Parameter onEvent: called with each event of an object in any of the stores.
    init(of process: PeopleProcess, sabotage: Sabotage?, onEvent: @escaping LifeObserver) {
        self.process = process
        self.sabotage = sabotage
        self.onEvent = onEvent
    }

    /// The gateway's own store; nil before it is opened.
    var own: LocalStore? { opened.withLock { $0[""]?.store } }

    /// The store with the data of one user in a personal replica; nil if it is closed.
    func space(of userId: String) -> LocalStore? { opened.withLock { $0[userId]?.store } }

    /// All open stores: first that of the gateway itself, then those of the users in the order of their ids.
    var all: [LocalStore] {
        opened.withLock { opened in opened.sorted { $0.key < $1.key }.compactMap(\.value.store) }
    }

    func open(_ settings: StoreSettings, environment: Environment) throws -> any GatewayStore {
        var configuration = StoreConfiguration(settings)
        configuration.executor = .deterministic { $0() }
        configuration.watch = process.watch
        configuration.audit = onEvent
        let store = try LocalStore(configuration, environment: environment)
        let owner = settings.identity.remote?.subject ?? ""
        opened.withLock { $0[owner] = Weak(store: store) }
        return SimulatedGatewayStore(store, sabotage)
    }

    func checkFile(in directory: String) async throws -> FileFindings { try await base.checkFile(in: directory) }
    func effectiveRights(in directory: String) throws -> EffectiveRights? {
        try base.effectiveRights(in: directory)
    }
    func replacedIds(in directory: String) throws -> ReplacedIds? { try base.replacedIds(in: directory) }
    func accountFindings(in directory: String) throws -> AccountFindings? {
        try base.accountFindings(in: directory)
    }
    func isInUse(_ directory: String) -> Bool { base.isInUse(directory) }
    func remoteOutline(in directory: String) throws -> RemoteOutline? { try base.remoteOutline(in: directory) }
    func hasWaitingWork(in directory: String) throws -> Bool { try base.hasWaitingWork(in: directory) }
    func figures(in directory: String) throws -> SyncFigures? { try base.figures(in: directory) }
    func copy(
        directory: String, to target: String, sharing shared: String?, at time: ParseDate, _ meter: WorkMeter?
    ) throws -> StoreCopy { try base.copy(directory: directory, to: target, sharing: shared, at: time, meter) }
    func check(directory: String, sharing shared: String?, _ meter: WorkMeter?) async throws -> StoreFindings {
        try await base.check(directory: directory, sharing: shared, meter)
    }
    func keepIdentity(directory: String) throws { try base.keepIdentity(directory: directory) }
    func compact(directory: String, _ meter: WorkMeter?) throws { try base.compact(directory: directory, meter) }
}
