import Logging
import ParseModel
import RemoteService
import StoreService
import SyncModel
import Synchronization

/// The dependencies that all phases of a sync share. Five of them collect results: `reporter` the figures, `olderRows`
/// the findings about outdated rows, `userRoles` the user's roles, `innerQueries` the conditions of pulls with
/// inner queries, and `settled` the decisions about sent changes. All other results reach later phases as parameters.
struct SyncContext: Sendable {
    let store: StoreCalls
    let remote: RemoteReader
    let options: SyncOptions
    let environment: Environment
    let logger: Logger
    let reporter: SyncReporter
    let olderRows: OlderRowFindings
    let userRoles: UserRoles
    let innerQueries: ResolvedConditions
    /// Notes the decisions about sent changes, for the clients that wait for them.
    let settled: SettledChanges
    /// The classes as read at the start of the phase.
    private(set) var classes = SyncClasses([])

    /// A copy of the context with the current classes, for the next phase.
    func withCurrentClasses() async throws(SyncError) -> SyncContext {
        var context = self
        let current = try await store { try await $0.syncClasses() }
        context.classes = SyncClasses(current.map(innerQueries.applied))
        return context
    }

    /// Whether the remote's answers can lack the changed object although it exists, for example because of its ACL.
    func mayBeInvisible(_ entry: OutboxEntry) -> Bool {
        entry.isUnshown || (entry.mayBeInvisible && !remote.capabilities(of: entry.className).seesEverything)
    }

    /// Whether this gateway may read an object of the class in the given state.
    func mayRead(_ state: ObjectState, of className: String) -> Bool {
        remote.capabilities(of: className).seesEverything || state.isReadable(by: store.reader)
    }

    /// The context for sending the changes of one author.
    /// - Parameters:
    ///   - store: the store with the changes of the author.
    ///   - remote: the author's access to the remote; nil to use that of the gateway.
    func sending(from store: any SyncStore, to remote: (any RemoteService)?) -> SyncContext {
        SyncContext(self, store: StoreCalls(store), remote: remote.map { self.remote.through($0) } ?? self.remote)
    }

    private init(_ context: SyncContext, store: StoreCalls, remote: RemoteReader) {
        self.store = store
        self.remote = remote
        (options, environment, logger) = (context.options, context.environment, context.logger)
        (reporter, olderRows, classes) = (context.reporter, context.olderRows, context.classes)
        (userRoles, innerQueries, settled) = (context.userRoles, context.innerQueries, context.settled)
    }

    init(
        store: any SyncStore, remote: RemoteReader, options: SyncOptions, environment: Environment, logger: Logger,
        reporter: SyncReporter, settled: SettledChanges
    ) {
        self.store = StoreCalls(store)
        self.remote = remote
        self.options = options
        self.environment = environment
        self.logger = logger
        self.reporter = reporter
        self.settled = settled
        olderRows = OlderRowFindings()
        userRoles = UserRoles()
        innerQueries = ResolvedConditions()
    }
}

/// The names of the user's roles, as the remote shows them in this sync; nil until it has answered.
final class UserRoles: Sendable {
    private let state = Mutex<Set<String>?>(nil)

    var names: Set<String>? { state.withLock { $0 } }

    func note(_ names: some Sequence<String>) { state.withLock { $0 = Set(names) } }
}
