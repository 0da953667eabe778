import GatewayAPI
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel
import Synchronization

/// Performs the writes of clients that wait for the remote, through the sync engine.
struct EngineDelivery: WriteDelivery {
    let control: EngineControl

    var engine: SyncEngine { control.engine }
    var store: any GatewayStore { control.store }
    var environment: Environment { control.environment }

    /// The events during a wait.
    private enum Event: Sendable {
        /// The engine may have settled a change.
        case changed
        case synced(SyncOutcome)
        case rested
        case timeOver
    }

    /// The delay before the second push of a wait. It doubles with each further push, up to `restMax`.
    private static let restMin = Duration.milliseconds(500)
    private static let restMax = Duration.seconds(4)

    // MARK: Confirmed writes

    func confirm(
        _ writes: [WriteRequest], by principal: Principal, within time: Duration,
        _ perform: @Sendable () async -> [Result<WriteReceipt, any Error>]
    ) async -> [Result<ConfirmedWrite, any Error>] {
        // The engine notes its decisions from before the writes on, because a running sync may send them at once.
        let start = engine.settled.open()
        defer { engine.settled.close() }
        let results = await perform()
        var awaited: [Int: AwaitedWrite] = [:]
        for (place, result) in results.enumerated() {
            if case .success(let receipt) = result { awaited[place] = AwaitedWrite(writes[place], receipt) }
        }
        let fates = await fates(of: awaited, since: start, by: principal, within: time)
        return results.enumerated().map { place, result in
            result.map { ConfirmedWrite(receipt: $0, fate: fates[place] ?? .waiting) }
        }
    }

    /// Pushes until all writes have reached the remote or wait for a decision, or until the time is over.
    private func fates(
        of awaited: [Int: AwaitedWrite], since start: Int, by principal: Principal, within time: Duration
    ) async -> [Int: ConfirmedWrite.Fate] {
        var fates: [Int: ConfirmedWrite.Fate] = [:]
        guard !awaited.isEmpty else { return fates }
        let (events, event) = AsyncStream<Event>.makeStream()
        let timer = environment.task { [environment] in
            try? await environment.sleep(time)
            event.yield(.timeOver)
        }
        // Any number of changes leads to one further look.
        let isTold = Mutex(false)
        let observer = control.changes.add {
            let isNew = isTold.withLock { told in
                defer { told = true }
                return !told
            }
            if isNew { event.yield(.changed) }
        }
        defer {
            timer.cancel()
            control.changes.remove(observer)
        }
        push(event)
        var rest = Self.restMin
        for await happened in events {
            if case .changed = happened { isTold.withLock { $0 = false } }
            for (place, write) in awaited where fates[place] == nil {
                // A write that cannot be looked up counts as waiting.
                fates[place] = try? await fate(of: write, since: start, by: principal)
            }
            if fates.count == awaited.count { break }
            switch happened {
            case .timeOver, .synced(.paused), .synced(.failed(.halted)): return fates
            case .changed: break
            case .rested: push(event)
            case .synced:
                environment.task { [environment, rest] in
                    try? await environment.sleep(rest)
                    event.yield(.rested)
                }
                rest = min(rest * 2, Self.restMax)
            }
        }
        return fates
    }

    private func push(_ event: AsyncStream<Event>.Continuation) {
        environment.task { [control] in event.yield(.synced(await control.run(SyncRequest(pulls: false)))) }
    }

    /// - Returns: nil while the write waits.
    private func fate(
        of write: AwaitedWrite, since start: Int, by principal: Principal
    ) async throws -> ConfirmedWrite.Fate? {
        let fate = try WriteFate(of: write, since: start, by: principal, decisions: store.decisions, engine.settled)
        switch fate {
        case .waiting: return nil
        case .rejected(let id, let code, let message):
            return .notTaken(
                NotTaken(
                    .rejected, code: code, message: message, objectId: write.objectId, entry: "/sync/rejections/\(id)"))
        case .inConflict(let id):
            return .notTaken(
                NotTaken(
                    .conflict, code: ParseError.Code.operationForbidden.rawValue,
                    message:
                        "The change is stored here. It is in conflict with the remote's state, and waits for a decision.",
                    objectId: write.objectId, entry: "/sync/conflicts/\(id)"))
        case .overruled(let id):
            return .notTaken(
                NotTaken(
                    .conflict, code: ParseError.Code.operationForbidden.rawValue,
                    message: "The change was in conflict with the remote's state, and the decision was against it.",
                    objectId: write.objectId, entry: "/sync/conflicts/\(id)"))
        case .executed(let execution): return .taken(try await taken(execution, of: write.className))
        case .shown:
            let present = try store.objects.object(write.className, write.objectId, as: .master)
            return .taken(TakenWrite(objectId: present?.objectId ?? write.objectId))
        case .withdrawn:
            return .notTaken(
                NotTaken(
                    .withdrawn, code: ParseError.Code.operationForbidden.rawValue,
                    message: "The change was dropped here before the remote took it.", objectId: write.objectId,
                    entry: nil))
        }
    }

    /// The execution without the operation ids that the remote may have returned.
    func taken(_ execution: SettledChanges.Execution, of className: String) async throws -> TakenWrite {
        var (returned, row) = (execution.returned, execution.row)
        if let opField = try await control.opFields()[className] {
            returned[opField] = nil
            row?[opField] = nil
        }
        return TakenWrite(
            objectId: execution.objectId, createdAt: execution.createdAt, updatedAt: execution.updatedAt,
            returned: returned, row: row)
    }
}
