import HTTPClient
import HTTPTypes
import ParseModel
import Synchronization

/// The network between one replica and the server. The seed decides which requests are lost, delayed, duplicated, cut off or
/// falsified.
final class FaultyTransport: HTTPTransport {
    typealias Fault = NetworkFault

    /// The state of the network: the share of faulty requests, whether the replica is disconnected, and whether the
    /// faults have ended.
    struct Conditions: Sendable {
        var faultShare = 0.0
        var isDisconnected = false
        /// Whether the phase with faults has ended.
        var isFaultFree = false
    }

    let conditions = Mutex(Conditions())
    /// The maximum size of an answer to a read that the replica accepts, in bytes; nil for no limit.
    private let answerBytesMax: Int?
    private let requestsSinceEmptyLists = Atomic(0)
    let server: SimulatedServer
    let name: String
    let time: SimulatedTime
    let random: PartyRandom
    let trace: Trace
    /// The range of the time in milliseconds after which the server executes a delayed request.
    let delayMs: ClosedRange<Int>
    /// In runs of kind `creates`: chooses faults of creates; lets other users act after a lost request or answer. Otherwise nil.
    private let unknownCreates: UnknownCreates?
    /// The refusals of the server, in runs of kind `refusals`. Otherwise nil.
    private let refusals: ServerRefusals?
    /// Whether the process has ended. A request of an ended process is not sent.
    let hasEnded: @Sendable () -> Bool
    /// Runs the actions of users that happen during a request.
    let duringRequest: @Sendable () async -> Void

    init(
        to server: SimulatedServer, name: String, time: SimulatedTime, random: PartyRandom,
        hasLargeRows: Bool, bounds: PartyRandom, trace: Trace, unknownCreates: UnknownCreates?,
        refusals: ServerRefusals?, sabotage: Sabotage?, hasEnded: @escaping @Sendable () -> Bool,
        duringRequest: @escaping @Sendable () async -> Void
    ) {
        self.server = server
        answerBytesMax = hasLargeRows && bounds.chance(Self.boundedShare) ? bounds.within(Self.answerBytes) : nil
        self.name = name
        self.time = time
        self.random = random
        self.trace = trace
        self.unknownCreates = unknownCreates
        self.refusals = refusals
        delayMs = sabotage == .lateBeyondGrace ? Self.delayBeyondGraceMs : server.behaviour.delayMs
        self.hasEnded = hasEnded
        self.duringRequest = duringRequest
    }

    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        let fault = draw(for: request)
        trace.note("\(name) \(request.method.rawValue) \(request.url.suffix(60)) \(fault?.rawValue ?? "")")
        if hasEnded() { throw .notSent(reason: "the process has ended") }
        if let fault { trace.countFault(fault.rawValue) }
        time.advance(ms: random.within(server.behaviour.latencyMs))
        let isSlow = conditions.withLock { !$0.isFaultFree } && random.chance(Self.slowShare)
        // In a slow exchange, either the request or the answer is delayed.
        let isSlowThere = isSlow && random.chance(0.5)
        if isSlowThere { time.advance(ms: random.within(1...Self.slowMsMax)) }
        let answer = try await transmit(request, fault)
        await duringRequest()
        if isSlow { trace.note("\(name) waits") }
        if isSlow, !isSlowThere { time.advance(ms: random.within(1...Self.slowMsMax)) }
        time.advance(ms: random.within(server.behaviour.latencyMs))
        if hasEnded() { throw .outcomeUnknown(reason: "the process has ended") }
        if server.isRead(request), let answerBytesMax, answer.body.count > answerBytesMax {
            trace.countFault("tooLong")
            throw .tooLong(reason: "the answer is longer than \(answerBytesMax) bytes")
        }
        return answer
    }

    private func draw(for request: HTTPClientRequest) -> Fault? {
        let isRead = server.isRead(request)
        requestsSinceEmptyLists.add(1, ordering: .relaxed)
        let conditions = conditions.withLock { $0 }
        if conditions.isDisconnected { return .unreachable }
        if server.returnsEmptyLists.withLock({ $0 }), isRead { return .emptyLists }
        if conditions.faultShare > 0, let fault = unknownCreates?.fault(for: request) { return fault }
        // The hardest case for the engine is a write of unknown outcome. Writes therefore have more faults than reads,
        // mostly faults that leave the outcome unknown.
        let share =
            isRead
            ? conditions.faultShare * server.behaviour.readFaultScale
            : min(Self.writeShareMax, conditions.faultShare * 3)
        guard random.chance(share),
            let fault = isRead ? random.pick(Fault.allCases) : random.pick(weighted: Self.writeFaults)
        else { return nil }
        if !isRead, let fault = server.behaviour.writeFault() { return fault }
        // No engine can handle two deliveries of a request that is not idempotent. Instead, the server gets the request
        // once, and its answer is lost.
        if fault == .duplicated, !isHarmlessTwice(request) { return .replyLost }
        // The delay of a late write plus that of a lagging copy could exceed the grace period. Instead, the request is
        // lost.
        if server.dataFault == .laggingLists, fault == .delayed || fault == .gatewayTimeout { return .requestLost }
        if fault == .delayed, isRead { return .requestLost }
        if fault == .emptyLists {
            guard server.settings.mayReturnEmptyLists, isRead,
                requestsSinceEmptyLists.load(ordering: .relaxed) > Self.emptyListsIntervalMin
            else { return .requestLost }
            requestsSinceEmptyLists.store(0, ordering: .relaxed)
        }
        return fault
    }

    /// The probability that a replica limits the size of answers, in runs with large rows. A page of several rows can
    /// exceed the limit. A single row or a list of ids cannot.
    private static let boundedShare = 0.7
    private static let answerBytes = 2500...5000
    private static let writeShareMax = 0.6
    private static let writeFaults: [(Fault, weight: Int)] =
        Fault.allCases.filter { $0 != .emptyLists }.map { fault in
            switch fault {
            case .replyLost, .delayed: (fault, 5)
            case .requestLost, .serverErrorAfterwards, .gatewayTimeout: (fault, 2)
            default: (fault, 1)
            }
        }
    /// The minimum number of requests between two faults `emptyLists`. While `returnsEmptyLists` is set, it does not
    /// apply.
    private static let emptyListsIntervalMin = 12
    /// The longest time in milliseconds for which a proxy holds a request, and the longest delay of a slow request.
    private static let heldMsMax = 60_000
    private static let slowMsMax = 30_000
    private static let slowShare = 0.02
    /// The longest time in milliseconds between a gateway timeout and the later execution of the request. This time is below the
    /// engine's grace period.
    private static let afterwardsMsMax = 9000
    private static let delayBeyondGraceMs = 15_000...60_000

    private func isHarmlessTwice(_ request: HTTPClientRequest) -> Bool {
        if request.isRepeatable || request.method == .delete { return true }
        let body = String(decoding: request.body, as: UTF8.self)
        // If the request names a version of the row, the server refuses the second delivery, and the row contains the
        // operation id of the first one.
        if server.tables != nil { return request.headers[.ifMatch] != nil && body.contains("\"ops\":\"") }
        return request.method == .put && !body.contains("__op")
    }

    private var sender: ServerHistory.Sender { ServerHistory.Sender(party: name) }

    /// Lets the server answer a request without a fault. The history of the server records which rows a read has
    /// returned.
    private func answer(_ request: HTTPClientRequest) async -> HTTPClientResponse {
        if let refusal = refusals?.refusal(of: request) { return falsified(refusal.status, refusal.body) }
        let isFaulty = conditions.withLock { $0.faultShare > 0 && !$0.isFaultFree }
        if isFaulty, !request.isRepeatable, let refusals, let drawn = refusals.draw(for: request) {
            trace.countFault("outdatedSchema")
            let others: HTTPClientResponse? =
                if let rest = drawn.rest { await server.answer(rest, by: sender) } else { nil }
            let refusal = ServerRefusals.refusal
            guard
                let answer = ServerRefusals.answer(
                    to: request, refusing: drawn.refused, with: refusal, besides: others?.body)
            else {
                return others ?? falsified(500, "")
            }
            return falsified(answer.0, answer.1)
        }
        let answer = await server.answer(request, by: sender)
        if server.isRead(request) { noteRead(at: answer.body) }
        return answer
    }

    private func noteRead(at body: [UInt8]) {
        guard var json = try? JSONReader.read(body) else { return }
        if server.tables != nil {
            json = ["results": .array(SimulatedTables.liveIds(in: json).map { ["objectId": .string($0)] })]
        }
        let copyOrder = server.lagging.withLock { $0?.order }
        server.history.withLock { $0.noteRead(of: name, at: json, fromCopyAt: copyOrder) }
    }

    private func transmit(
        _ request: HTTPClientRequest, _ fault: Fault?
    ) async throws(HTTPTransportError) -> HTTPClientResponse {
        switch fault {
        case nil:
            let answer = await answer(request)
            if conditions.withLock({ !$0.isFaultFree }) { await unknownCreates?.othersDelete(after: request) }
            return answer
        case .unreachable: throw .notSent(reason: "connection refused")
        case .requestLost:
            await unknownCreates?.othersAct()
            throw .outcomeUnknown(reason: "time-out")
        case .replyLost:
            _ = await server.answer(request, by: sender)
            await unknownCreates?.othersAct()
            throw .outcomeUnknown(reason: "connection reset")
        case .delayed:
            server.deliverLater(request, of: name, afterMs: random.within(delayMs))
            throw .outcomeUnknown(reason: "time-out")
        case .duplicated:
            _ = await server.answer(request, by: sender)
            return await server.answer(request, by: ServerHistory.Sender(party: name, isLate: true))
        case .truncated:
            var answer = await server.answer(request, by: sender)
            answer.body.removeLast(answer.body.count / 2)
            return answer
        case .tooManyRequests: return falsified(429, "{\"error\":\"too many requests\"}", ["Retry-After": "3"])
        case .serverError: return falsified(500, "{\"code\":1,\"message\":\"Internal server error.\"}")
        case .serverErrorAfterwards:
            _ = await server.answer(request, by: sender)
            return falsified(500, "{\"code\":1,\"message\":\"Internal server error.\"}")
        case .unavailable: return falsified(503, "<html>Service Unavailable</html>")
        case .errorInside:
            return falsified(200, "{\"code\":1,\"error\":{\"errno\":-111,\"code\":\"ECONNREFUSED\"}}")
        case .html: return falsified(200, "<html><body>Please log in to this network.</body></html>")
        case .emptyLists:
            var answer = await server.answer(request, by: sender)
            answer.body = emptied(answer.body)
            noteRead(at: answer.body)
            return answer
        case .gatewayTimeout:
            let heldMs = random.within(1...Self.heldMsMax)
            switch random.below(3) {
            case 0: _ = await server.answer(request, by: sender)
            case 1 where !server.isRead(request):
                let afterMs = heldMs + random.below(Self.afterwardsMsMax)
                server.deliverLater(request, of: name, afterMs: afterMs)
            default: break
            }
            time.advance(ms: heldMs)
            return falsified(504, "<html><body>The upstream server is timing out.</body></html>")
        }
    }

    /// The body of an answer with all lists emptied, also inside a batch. A body without lists is returned unchanged.
    private func emptied(_ body: [UInt8]) -> [UInt8] {
        let empty: JSONValue = ["results": [], "count": 0]
        guard let json = try? JSONReader.read(body) else { return body }
        guard let items = json.array else { return json.object?["results"] == nil ? body : empty.jsonBytes }
        return JSONValue.array(
            items.map { $0.object?["success"]?.object?["results"] == nil ? $0 : ["success": empty] }
        ).jsonBytes
    }

    private func falsified(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> HTTPClientResponse {
        var fields = HTTPFields()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return HTTPClientResponse(
            status: .init(code: status), headers: server.dated(fields), body: Array(body.utf8))
    }
}
