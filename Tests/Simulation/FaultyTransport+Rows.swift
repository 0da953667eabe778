import ParseModel
import RemoteService

/// The faulty network for `VersionedRemote`, which reads and writes rows without HTTP. It has the same `Conditions` as
/// for HTTP requests, but only the kinds of faults that do not depend on HTTP.
extension FaultyTransport {
    private enum RowFault: CaseIterable {
        case unreachable, requestLost, replyLost, delayed, tooManyRequests, serverErrorAfterwards
    }

    private func draw(_ what: String) -> RowFault? {
        let conditions = conditions.withLock { $0 }
        let fault: RowFault? =
            conditions.isDisconnected
            ? .unreachable : random.chance(conditions.faultShare) ? random.pick(RowFault.allCases) : nil
        trace.note("\(name) \(what) \(fault.map { "\($0)" } ?? "")")
        if let fault { trace.countFault("\(fault)") }
        time.advance(ms: random.within(server.behaviour.latencyMs))
        return fault
    }

    /// Simulates the network for one read: may inject a fault, and lets the time of a request and its answer pass.
    /// - Throws: if the fault prevents an answer, or if the process has ended.
    func read(_ what: String) async throws(RemoteError) {
        let fault = draw(what)
        if hasEnded() { throw .unreachable(reason: "the process has ended") }
        await server.executeDelayedRequests()
        await duringRequest()
        time.advance(ms: random.within(server.behaviour.latencyMs))
        if hasEnded() { throw .interrupted(reason: "the process has ended") }
        switch fault {
        case nil: return
        case .unreachable: throw .unreachable(reason: "connection refused")
        case .requestLost, .replyLost, .delayed: throw .interrupted(reason: "time-out")
        case .tooManyRequests: throw .overloaded(retryAfter: .seconds(3), reason: "too many requests")
        case .serverErrorAfterwards: throw .faulty(status: 500, reason: "internal server error")
        }
    }

    func write(
        _ what: String, _ execute: @escaping @Sendable (ServerHistory.Sender) async -> PushOutcome
    ) async -> PushOutcome {
        let fault = draw(what)
        if hasEnded() { return .retry(after: nil, reason: "the process has ended") }
        await server.executeDelayedRequests()
        let sender = ServerHistory.Sender(party: name)
        let outcome: PushOutcome
        switch fault {
        case nil: outcome = await execute(sender)
        case .unreachable: outcome = .retry(after: nil, reason: "connection refused")
        case .tooManyRequests: outcome = .retry(after: .seconds(3), reason: "too many requests")
        case .requestLost: outcome = .unknown(reason: "time-out", isInterrupted: true)
        case .replyLost:
            _ = await execute(sender)
            outcome = .unknown(reason: "connection reset", isInterrupted: true)
        case .serverErrorAfterwards:
            _ = await execute(sender)
            outcome = .unknown(reason: "internal server error", code: 1)
        case .delayed:
            server.deliverLater(of: name, afterMs: random.within(delayMs)) { _ = await execute($0) }
            outcome = .unknown(reason: "time-out", isInterrupted: true)
        }
        await duringRequest()
        time.advance(ms: random.within(server.behaviour.latencyMs))
        return hasEnded() ? .unknown(reason: "the process has ended", isInterrupted: true) : outcome
    }
}
