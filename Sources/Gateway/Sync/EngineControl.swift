import GatewayAPI
import ParseModel
import RemoteService
import StoreService
import SyncEngine

/// Gives the local API access to the sync engine, and to the store's classes, pending changes, rejections, conflicts
/// and removals that wait for a confirmation.
struct EngineControl: SyncControl {
    let engine: SyncEngine
    let store: any GatewayStore
    /// The circuit breaker that all requests of the gateway share; nil for an engine outside a gateway.
    var circuit: RemoteCircuit?
    /// The observers to call at each event of the engine.
    let changes: Observers
    /// The limits that the remote has named; nil for a kind of remote that names none.
    var limits: RemoteLimits?
    /// Lists the classes of the remote; nil for a remote that does not list them.
    var remoteProbe: (any RemoteProbe)?
    /// Updates the store's copy of the remote's schemas; nil if the remote does not show its schemas.
    var schemas: RemoteSchemas?
    /// Reports work that waits for a long time while the remote answers; nil if it is not reported.
    var stalls: StallWatch?
    /// The maximum time that a forwarded call waits for the push of the earlier local writes.
    var forwardWait: Duration = .seconds(10)
    var environment: Environment = .live
    /// Whether the engine and the classes are the gateway's own or those of a user's space.
    var space = SpaceKind.ofGateway {}

    enum SpaceKind: Sendable {
        /// The gateway's own. The closure applies changes of the classes and of the pause to the spaces of users.
        case ofGateway(@Sendable () async -> Void)
        /// The engine of a user's space. A class whose options are changed there no longer follows the gateway.
        case ofUser
    }

    func remoteClasses() async -> [String]? {
        guard let remoteProbe else { return nil }
        return (try? await remoteProbe.classNames()) ?? nil
    }

    // MARK: Running

    func start(_ request: SyncRequest) async {
        await engine.start(request, after: circuit?.delayOfNextAttempt() ?? .zero)
    }

    /// The sync begins even while the circuit breaker is open, because a person waits for its end.
    func run(_ request: SyncRequest) async -> SyncOutcome {
        let outcome = await attempt(request)
        await schemas?.takePulled()
        return outcome
    }

    private func attempt(_ request: SyncRequest) async -> SyncOutcome {
        guard let circuit, await engine.status.state != .paused else { return await engine.startAndWait(request) }
        do {
            let permit = try await circuit.enter()
            let outcome = await engine.startAndWait(request)
            circuit.end(permit, outcome.verdict)
            return outcome
        } catch {
            return .failed(SyncError(error))
        }
    }

    func status(as principal: Principal) async throws -> SyncReport {
        SyncReport(
            status: await engine.status, figures: try await store.figures(as: principal), limits: limits?.current,
            stall: try await stalls?.stall(as: principal))
    }

    func onChange(_ observer: @escaping @Sendable () -> Void) { changes.add(observer) }

    func pause() async throws {
        try await engine.pause()
        await bringUsersUpToDate()
    }

    func resume() async throws {
        try await engine.resume()
        await bringUsersUpToDate()
    }

    /// Applies the gateway's pause and classes to the spaces of its users.
    private func bringUsersUpToDate() async {
        if case .ofGateway(let follow) = space { await follow() }
    }

    // MARK: Lists

    func pending(after: Int64?, as principal: Principal) async throws -> [PendingChange] {
        let waiting = try store.decisions.pendingChanges(after: after, as: principal)
        let inQuestion = try store.decisions.changesInQuestion(after: after, as: principal)
        // Of each list, all further entries follow its last entry, so the first entries of both lists together have no gap.
        return Array((waiting + inQuestion).sorted { $0.id < $1.id }.prefix(DecisionLists.entriesMax))
    }
    func rejections(after: Int64?, as principal: Principal) async throws -> [PendingChange] {
        try store.decisions.rejections(after: after, as: principal)
    }
    func conflicts(resolved: Bool, after: Int64?, as principal: Principal) async throws -> [ListedConflict] {
        try store.decisions.conflicts(resolved: resolved, after: after, as: principal)
    }
    func removals(as principal: Principal) async throws -> [HeldRemoval] {
        try store.decisions.removals(as: principal)
    }

    // MARK: Decisions

    func undoPending(_ id: Int64, match: TagMatch?, as principal: Principal) async throws {
        try await store.decisions.undoPending(id, match: match, as: principal)
    }

    func retryRejection(
        _ id: Int64, object: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws {
        try await store.decisions.retryRejection(id, fields: object, match: match, as: principal)
        await engine.start()
    }

    func giveUpRejection(_ id: Int64, match: TagMatch?, as principal: Principal) async throws {
        try await store.decisions.giveUpRejection(id, match: match, as: principal)
    }

    func resolveConflict(
        _ id: Int64, keep: String?, object: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws {
        try await store.decisions.resolveConflict(id, keep: keep, fields: object, match: match, as: principal)
        await engine.start()
    }

    func confirmRemoval(_ id: Int64, as principal: Principal) async throws {
        try await store.decisions.confirmRemoval(id, as: principal)
        await engine.start()
    }

    func keepRemoval(_ id: Int64, as principal: Principal) async throws {
        try await store.decisions.keepRemoval(id, as: principal)
        await engine.start()
    }

    // MARK: Data that is not stored locally

    func keepsMembers(of className: String) async throws -> Bool {
        try await store.sync(as: .gateway).syncClasses().first { $0.name == className }?.options.pullsRelations ?? true
    }

    func keepsWhole(_ className: String) async throws -> Bool {
        try await store.sync(as: .gateway).syncClasses().first { $0.name == className }?.pulls.contains {
            $0.pull.isWholeClass && $0.pull.keys == nil && $0.completeSince != nil
        } ?? false
    }

    func opFields() async throws -> [String: String] {
        let fields = try await store.sync(as: .gateway).syncClasses().compactMap { known in
            known.options.opField.map { (known.name, $0) }
        }
        return Dictionary(uniqueKeysWithValues: fields)
    }

    func askRemote(_ className: String, _ parameters: JSONObject) async throws -> JSONObject {
        do {
            return try await engine.ask(className, parameters)
        } catch .refused(let code, let message) {
            throw ParseError(ParseError.Code(rawValue: code), message)
        } catch .unauthorized(let message) {
            throw APIError.remoteUnauthorized(reason: message)
        } catch {
            throw APIError.remoteUnreachable(reason: error.message)
        }
    }

    // MARK: Classes

    func classes() async throws -> [SyncedClass] {
        let known = try await store.sync(as: .gateway).syncClasses()
        return try await store.figures().classes.map { figures in
            SyncedClass(figures: figures, syncClass: known.first { $0.name == figures.name })
        }
    }

    func pullOperators(of className: String) -> Set<String>? { engine.operators(of: className) }

    func storesParseValues(of className: String) -> Bool { engine.storesParseValues(of: className) }

    func registerClass(_ name: String, _ change: ClassOptionsChange) async throws -> SyncedClass? {
        try await changeClass(name) {
            try await store.classes.configureClass(name) { options, pulls in
                change.apply(to: &options, &pulls)
                try ClassOptionsChange.check(options)
            }
        }
        await engine.start()
        return try await classes().first { $0.figures.name == name }
    }

    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws {
        try await changeClass(name) { try await store.classes.unregisterClass(name, purge: purge, force: force) }
    }

    private func changeClass(_ name: String, _ change: () async throws -> Void) async throws {
        switch space {
        case .ofGateway(let bringUpToDate):
            try await change()
            await bringUpToDate()
        case .ofUser:
            // Marks the class as the user's own first, so that no later change of the gateway's classes replaces its
            // options.
            let isNew = try await store.classFollower.setOwn(name, true)
            do { try await change() } catch {
                if isNew { _ = try await store.classFollower.setOwn(name, false) }
                throw error
            }
        }
    }

    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int {
        try await store.classes.purgeObjects(of: name, query, force: force)
    }
}

extension SyncOutcome {
    /// Whether the sync has reached the remote, as the circuit breaker needs it.
    fileprivate var verdict: RemoteCircuit.Verdict {
        switch self {
        case .finished, .failed(.unauthorized), .failed(.classUnauthorized), .failed(.refused): .answered
        // A sync sends many requests, so another request may still get an answer.
        case .failed(.offline(let reason, _)), .failed(.unusable(let reason, _)), .failed(.foreign(let reason)):
            .failed(reason: reason)
        case .failed, .paused: .nothing
        }
    }
}
