import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Changes that are sent outside of a sync, for clients that want them on the remote or nowhere.
extension SyncEngine {
    /// Sends one change at once. The running sync ends early, and the next one begins afterwards.
    /// - Parameters:
    ///   - author: the author of the change. Without authors, all changes are the gateway's.
    ///   - objectId: the object to change; nil for a create.
    ///   - begin: stores the change as in flight. Called after the remote has shown its time.
    /// - Throws: `SyncError` if nothing was sent; the errors of `begin`.
    package func sendOnce(
        _ className: String, _ objectId: String?, of author: SyncAuthor,
        _ begin:
            @escaping @Sendable (
                _ serverTime: ParseDate, _ marked: @escaping @Sendable (OutboxEntry) -> OutboxEntry
            ) async throws -> OutboxEntry
    ) async throws -> SentOnce {
        guard !isPaused, !isStopping else { throw SyncError.halted }
        await suspend()
        defer { endSuspension() }
        let reader = RemoteReader(
            remote, memory: memory.remote, environment: environment, observe: observe, isHalted: { false },
            hasAnswered: { self.noteAnswer() })
        defer { memory.remote = reader.memory }
        let reporter = SyncReporter(requests: RequestCount()) { _ in }
        let own = SyncContext(
            store: store, remote: reader, options: options, environment: environment, logger: logger,
            reporter: reporter, settled: settled)
        let context = try await sender(own, author).withCurrentClasses()
        let sent = try await SendOnce(context: context).run(className, objectId, begin)
        if case .unauthorized = sent.outcome, await !hasSession() { throw SyncError.waitsForLogIn }
        return sent
    }

    /// The context for the changes of an author.
    /// - Throws: `SyncError.waitsForLogIn` if the author has no session that the remote may accept.
    private func sender(_ context: SyncContext, _ author: SyncAuthor) async throws -> SyncContext {
        guard let authors, author != .gateway else { return context }
        guard let remote = await authors.remote(of: author) else { throw SyncError.waitsForLogIn }
        return context.sending(from: try await store.sending(for: author), to: remote)
    }
}
