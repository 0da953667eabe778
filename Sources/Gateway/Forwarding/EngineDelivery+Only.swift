import GatewayAPI
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel
import Synchronization

/// Writes that go to the remote or nowhere.
extension EngineDelivery {
    private typealias Sent = (receipt: WriteReceipt, taken: TakenWrite)

    private enum Event: Sendable {
        /// The change is stored as in flight, and is about to be sent.
        case begun(OutboxEntry)
        case ended(Result<Sent, any Error>)
        case timeOver
    }

    func sendOnly(
        _ write: WriteRequest, naming things: NamedThings, by principal: Principal, ignoresQueue: Bool,
        within time: Duration
    ) async throws -> (receipt: WriteReceipt, taken: TakenWrite) {
        guard await engine.status.state != .paused else {
            throw APIError.remoteUnreachable(
                reason: "Syncing is paused, and this change must not wait: POST /sync/resume. Nothing has changed.")
        }
        let flight = OnceFlight()
        let (events, event) = AsyncStream<Event>.makeStream()
        let timer = environment.task { [environment] in
            try? await environment.sleep(time)
            event.yield(.timeOver)
        }
        defer { timer.cancel() }
        // The request to the remote goes on after the time is over, because its outcome must become known.
        environment.task {
            let result: Result<Sent, any Error>
            do {
                if !ignoresQueue { try await control.waitForQueuedWrites(naming: things, by: principal) }
                result = .success(try await send(write, by: principal, flight) { event.yield(.begun($0)) })
            } catch {
                result = .failure(error)
            }
            event.yield(.ended(result))
        }
        var isOver = false
        for await happened in events {
            switch happened {
            case .ended(let result): return try result.get()
            case .begun(let entry):
                if isOver { throw Self.unknown(entry, "The remote has not answered within \(time).") }
            case .timeOver:
                isOver = true
                if flight.cancel() {
                    throw APIError.remoteUnreachable(
                        reason: "The change was not sent within \(time), because of earlier changes or a running sync. "
                            + "Nothing has changed.")
                }
                if let entry = flight.entry {
                    throw Self.unknown(entry, "The remote has not answered within \(time).")
                }
            }
        }
        // `events` ends only if the task is cancelled.
        throw APIError.remoteUnreachable(reason: "The caller has disconnected.")
    }

    private func send(
        _ write: WriteRequest, by principal: Principal, _ flight: OnceFlight,
        onBegun: @escaping @Sendable (OutboxEntry) -> Void
    ) async throws -> Sent {
        let className = write.className
        let shown = try write.objectId.flatMap { try store.objects.object(className, $0, as: principal) }
        let objectId = shown?.objectId ?? write.objectId
        let based = write.based(on: shown)
        let begin = { @Sendable (serverTime: ParseDate, marked: @escaping @Sendable (OutboxEntry) -> OutboxEntry) in
            guard flight.begin() else { throw CancellationError() }
            do {
                let begun = try await store.onceWrites.begin(based, as: principal, at: serverTime, marked: marked)
                flight.note(begun)
                onBegun(begun.entry)
                return begun.entry
            } catch {
                flight.endBeginning()
                throw error
            }
        }
        let sent = try await throughCircuit {
            try await engine.sendOnce(className, objectId, of: SyncAuthor(of: principal), begin)
        }
        guard let receipt = flight.receipt else { preconditionFailure("a change that was sent has a receipt") }
        if let execution = SettledChanges.Execution(sent.decision) {
            return (receipt, try await taken(execution, of: className))
        }
        throw Self.refusal(sent)
    }

    /// Runs a request that a person waits for, even while the circuit breaker is open.
    private func throughCircuit(_ send: () async throws -> SentOnce) async throws -> SentOnce {
        let permit: RemoteCircuit.Permit?
        do { permit = try await control.circuit?.enter() } catch { throw APIError(SyncError(error)) }
        do {
            let sent = try await send()
            if let permit { control.circuit?.end(permit, sent.outcome.verdict) }
            return sent
        } catch let error as SyncError {
            if let permit { control.circuit?.end(permit, .failed(error)) }
            switch error {
            case .refused(let code, let message): throw ParseError(ParseError.Code(rawValue: code), message)
            case .waitsForLogIn: throw ParseError.invalidSession
            case .storeFull: throw StoreError.diskFull
            default: throw APIError(error)
            }
        } catch {
            if let permit { control.circuit?.end(permit, .nothing) }
            throw error
        }
    }

    // MARK: Errors

    private static func unknown(_ entry: OutboxEntry, _ reason: String) -> APIError {
        .notTaken(
            NotTaken(
                .unknown, code: ParseError.Code.connectionFailed.rawValue,
                message: "\(reason) The change may have been executed. It is not sent again. "
                    + "The entry stays until a read has shown the outcome.",
                objectId: entry.objectId, entry: "/sync/pending/\(entry.id)"))
    }

    /// The error for a change that the remote has not executed, in the remote's words, or whose outcome is unknown.
    private static func refusal(_ sent: SentOnce) -> any Error {
        switch sent.decision {
        case .unknown(let reason, _, _):
            return unknown(sent.entry, "The remote's answer is missing or unclear: \(reason).")
        case .conflict: return unknown(sent.entry, "The remote's answer does not show the outcome.")
        default: break
        }
        switch sent.outcome {
        case .refused(let code, let message), .refusedForNow(let code, let message):
            return ParseError(ParseError.Code(rawValue: code), message)
        case .duplicate(let message): return ParseError(.duplicateValue, message)
        case .gone(let message): return ParseError(.objectNotFound, message)
        case .conflict:
            return StoreError.notPossible(
                reason: "Another client has changed the object in this moment: read it again. Nothing has changed.")
        case .unauthorized(let message), .classUnauthorized(let message):
            return APIError.remoteUnauthorized(reason: message)
        case .retry(_, let reason):
            return APIError.remoteUnreachable(reason: "The remote cannot be reached: \(reason). Nothing has changed.")
        case .unknown(let reason, _, _): return unknown(sent.entry, reason)
        case .applied: return unknown(sent.entry, "The remote's answer does not show the outcome.")
        }
    }
}

/// The progress of a change that goes to the remote or nowhere. Its client may stop waiting only before it begins.
private final class OnceFlight: Sendable {
    private enum Phase {
        case waiting
        /// The change is being stored.
        case beginning
        case begun
        case cancelled
    }

    private struct State {
        var phase = Phase.waiting
        var write: BegunWrite?
    }

    private let state = Mutex(State())

    var entry: OutboxEntry? { state.withLock { $0.phase == .begun ? $0.write?.entry : nil } }
    var receipt: WriteReceipt? { state.withLock { $0.write?.receipt } }

    /// - Returns: false if the client has stopped waiting.
    func begin() -> Bool {
        state.withLock { state in
            guard state.phase != .cancelled else { return false }
            state.phase = .beginning
            return true
        }
    }

    func note(_ write: BegunWrite) { state.withLock { ($0.phase, $0.write) = (.begun, write) } }

    func endBeginning() { state.withLock { $0.phase = .waiting } }

    /// - Returns: whether the change will not begin; false if it has begun.
    func cancel() -> Bool {
        state.withLock { state in
            guard state.phase == .waiting else { return false }
            state.phase = .cancelled
            return true
        }
    }
}

extension PushOutcome {
    /// Whether the request has reached the remote, as the circuit breaker needs it.
    fileprivate var verdict: RemoteCircuit.Verdict {
        switch self {
        case .retry(_, let reason): .failed(reason: reason)
        case .unknown(let reason, _, nil): .failed(reason: reason)
        case .unknown, .applied, .duplicate, .gone, .conflict, .refused, .refusedForNow, .unauthorized,
            .classUnauthorized:
            .answered
        }
    }
}

extension RemoteCircuit.Verdict {
    fileprivate static func failed(_ error: SyncError) -> Self {
        switch error {
        case .offline(let reason, _), .unusable(let reason, _), .foreign(let reason): .failed(reason: reason)
        case .unauthorized, .classUnauthorized, .refused: .answered
        case .waitsForLogIn, .halted, .storeFull, .store: .nothing
        }
    }
}

extension APIError {
    /// The error of a change that was not sent.
    fileprivate init(_ error: SyncError) {
        switch error {
        case .unauthorized(let message), .classUnauthorized(let message): self = .remoteUnauthorized(reason: message)
        case .store(let reason): self = .syncFailed(reason: reason)
        default: self = .remoteUnreachable(reason: error.message.sentence + " Nothing has changed.")
        }
    }
}
