import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Single requests to the remote outside of a sync: queries about data that is not stored locally, and changes that clients want
/// on the remote or nowhere.
extension SyncEngine {
    // MARK: Queries

    /// Sends the remote a query about data that is not stored locally, and returns the answer.
    /// - Throws: also `.offline` while syncing is paused, and `.refused` if this kind of remote does not support such queries.
    package func ask(_ className: String, _ parameters: JSONObject) async throws(SyncError) -> JSONObject {
        guard !isPaused else { throw .offline(reason: "syncing is paused", retryAfter: nil) }
        guard let calls = remote.calls else {
            throw .refused(
                code: ParseError.Code.commandUnavailable.rawValue,
                message: "This kind of remote does not answer queries of its own.")
        }
        let query = { @Sendable () async throws(RemoteError) in
            try await calls.query(className, parameters: parameters)
        }
        do throws(RemoteError) {
            guard let circuit else { return try await query() }
            return try await circuit.send(query)
        } catch {
            throw SyncError(error)
        }
    }

    /// The query operators that the remote supports in a pull of the class; nil for all.
    package nonisolated func operators(of className: String) -> Set<String>? {
        remote.capabilities(of: className).operators
    }

    /// Whether the remote stores all of Parse's values in objects of the class.
    package nonisolated func storesParseValues(of className: String) -> Bool {
        remote.capabilities(of: className).values == .any
    }

    // MARK: Changes

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
