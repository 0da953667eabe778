import ParseModel
import RemoteService

/// The network under a remote that is no HTTP server: the same weather, and the faults that its requests can meet.
extension FaultyTransport {
    private enum RowFault: CaseIterable {
        case unreachable, requestLost, replyLost, delayed, tooManyRequests, serverErrorAfterwards
    }

    private func draw(_ what: String) -> RowFault? {
        let weather = weather.withLock { $0 }
        let fault: RowFault? =
            weather.isCut ? .unreachable : random.chance(weather.faultShare) ? random.pick(RowFault.allCases) : nil
        trace.note("\(name) \(what) \(fault.map { "\($0)" } ?? "")")
        if let fault { trace.countFault("\(fault)") }
        time.advance(ms: random.within(server.habits.wayMs))
        return fault
    }

    /// - Throws: where the request or its answer gets lost.
    func read(_ what: String) async throws(RemoteError) {
        let fault = draw(what)
        if isDead() { throw .unreachable(reason: "the process has ended") }
        await server.carryOutLateRequests()
        await meanwhile()
        time.advance(ms: random.within(server.habits.wayMs))
        if isDead() { throw .interrupted(reason: "the process has ended") }
        switch fault {
        case nil: return
        case .unreachable: throw .unreachable(reason: "connection refused")
        case .requestLost, .replyLost, .delayed: throw .interrupted(reason: "time-out")
        case .tooManyRequests: throw .overloaded(retryAfter: .seconds(3), reason: "too many requests")
        case .serverErrorAfterwards: throw .faulty(status: 500, reason: "internal server error")
        }
    }

    func write(
        _ what: String, _ carryOut: @escaping @Sendable (ServerHistory.Hand) async -> PushOutcome
    ) async -> PushOutcome {
        let fault = draw(what)
        if isDead() { return .retry(after: nil, reason: "the process has ended") }
        await server.carryOutLateRequests()
        let hand = ServerHistory.Hand(party: name)
        let outcome: PushOutcome
        switch fault {
        case nil: outcome = await carryOut(hand)
        case .unreachable: outcome = .retry(after: nil, reason: "connection refused")
        case .tooManyRequests: outcome = .retry(after: .seconds(3), reason: "too many requests")
        case .requestLost: outcome = .unknown(reason: "time-out", isInterrupted: true)
        case .replyLost:
            _ = await carryOut(hand)
            outcome = .unknown(reason: "connection reset", isInterrupted: true)
        case .serverErrorAfterwards:
            _ = await carryOut(hand)
            outcome = .unknown(reason: "internal server error", code: 1)
        case .delayed:
            server.deliverLater(of: name, afterMs: random.within(delayMs)) { _ = await carryOut($0) }
            outcome = .unknown(reason: "time-out", isInterrupted: true)
        }
        await meanwhile()
        time.advance(ms: random.within(server.habits.wayMs))
        return isDead() ? .unknown(reason: "the process has ended", isInterrupted: true) : outcome
    }
}
