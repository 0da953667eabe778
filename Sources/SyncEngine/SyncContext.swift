import Logging
import ParseModel
import RemoteService
import StoreService

/// What each phase of a sync works with. The state that phases hand to each other is not part of it: that is their input and
/// their result.
struct SyncContext: Sendable {
    let store: StoreAccess
    let remote: RemoteReader
    let options: SyncOptions
    let environment: Environment
    let logger: Logger
    let reporter: SyncReporter
    let olderRows: OlderRowFindings
    /// The classes as they were when the phase began.
    private(set) var classes = SyncClasses([])

    /// The same context with the classes as they are now.
    func withCurrentClasses() async throws(SyncError) -> SyncContext {
        var context = self
        context.classes = SyncClasses(try await store { try await $0.syncClasses() })
        return context
    }

    init(
        store: any SyncStore, remote: RemoteReader, options: SyncOptions, environment: Environment, logger: Logger,
        reporter: SyncReporter
    ) {
        self.store = StoreAccess(store)
        self.remote = remote
        self.options = options
        self.environment = environment
        self.logger = logger
        self.reporter = reporter
        olderRows = OlderRowFindings()
    }
}
