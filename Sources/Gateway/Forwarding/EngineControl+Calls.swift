import GatewayAPI
import ParseModel
import RemoteService
import StoreService
import SyncEngine

/// Lets a forwarded call wait until the earlier local writes have been sent to the remote.
extension EngineControl {
    /// The events during the wait of a forwarded call.
    private enum Event: Sendable {
        case synced(SyncOutcome)
        case rested
        case timeOver
    }

    /// Reads the present state of the local writes on which the call depends.
    private typealias Queue = () throws -> CallersQueue

    /// The delay between two pushes while a forwarded call waits.
    private static let rest = Duration.milliseconds(500)
    /// The maximum number of objects that `noteRemoteDeletion` removes in one transaction.
    private static let droppedMax = 500

    func waitForQueuedWrites(naming things: NamedThings, by principal: Principal) async throws {
        let newest = try store.decisions.latestWrite()
        let queue: Queue = { [store] in try store.decisions.callersQueue(upTo: newest, naming: things, by: principal) }
        let first = try queue()
        try first.checkUndecided()
        guard first.waiting > 0 else { return }
        let (events, event) = AsyncStream<Event>.makeStream()
        let timer = environment.task { [environment, forwardWait] in
            try? await environment.sleep(forwardWait)
            event.yield(.timeOver)
        }
        defer { timer.cancel() }
        try await checkPause(queue)
        push(event)
        for await happened in events {
            switch happened {
            case .timeOver:
                try await checkRemote(queue)
                throw try queue().isUnsent("They were not sent within \(forwardWait).")
            case .rested: push(event)
            case .synced(let outcome):
                if try await hasPassed(outcome, queue) { return }
                environment.task { [environment] in
                    try? await environment.sleep(Self.rest)
                    event.yield(.rested)
                }
            }
        }
        // `events` ends only if the task is cancelled.
        throw try queue().isUnsent("The caller has disconnected.")
    }

    private func push(_ event: AsyncStream<Event>.Continuation) {
        environment.task { event.yield(.synced(await run(SyncRequest(pulls: false)))) }
    }

    /// Decides after a push whether the call may be forwarded.
    /// - Returns: false if the call has to wait for another push.
    /// - Throws: an error if another push would not help.
    private func hasPassed(_ outcome: SyncOutcome, _ queue: Queue) async throws -> Bool {
        let left = try queue()
        try left.checkUndecided()
        guard left.waiting > 0 else { return true }
        switch outcome {
        case .finished(let summary):
            guard summary.deferred == 0 else { return false }
            try left.checkOthers()
            // Each remaining change waits behind another change that needs a decision, for example about a conflict. The call does not
            // wait for decisions.
            return true
        case .paused:
            throw try queue().isUnsent("Syncing is paused: POST /sync/resume.")
        case .failed(let error) where error.isAboutReach:
            throw APIError.remoteUnreachable(reason: error.message)
        case .failed(let error): throw try queue().isUnsent(error.message)
        }
    }

    private func checkPause(_ queue: Queue) async throws {
        guard await engine.status.state == .paused else { return }
        throw try queue().isUnsent("Syncing is paused: POST /sync/resume.")
    }

    /// Throws, at the end of the wait, an error if the last sync got no usable answer from the remote.
    private func checkRemote(_ queue: Queue) async throws {
        try await checkPause(queue)
        let status = await engine.status
        if status.circuit.state != .closed { throw APIError.remoteUnreachable(status) }
    }

    // MARK: Classes that the remote has emptied

    func withoutSyncs<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        await engine.suspend()
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        await engine.endSuspension()
        return try result.get()
    }

    func idsOnRemote(of className: String) async throws -> [String] {
        let ids = try await store.sync(as: .gateway).baseIds(of: .allObjects(of: className), created: .all)
        return ids.seen.union(ids.hidden).sorted()
    }

    func noteRemoteDeletion(_ objectIds: [String], of className: String) async throws {
        for start in stride(from: 0, to: objectIds.count, by: Self.droppedMax) {
            let some = Array(objectIds[start..<min(start + Self.droppedMax, objectIds.count)])
            _ = try await store.sync(as: .gateway).apply([], gone: some, of: className)
        }
        try await store.sync(as: .gateway).dropHeldRemoval(in: className)
        await engine.start()
    }

    func noteRemoteSchemaChange() async {
        await schemas?.forget()
        await engine.start()
    }
}
