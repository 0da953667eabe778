import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import Synchronization

/// The network between one process of a gateway and the server. A request takes simulated time, so that users can act
/// meanwhile.
final class PeopleTransport: HTTPTransport {
    struct Conditions: Sendable {
        var isOffline = false
        var faultShare = 0.0
    }

    /// The conditions of the network at a replica, over all its processes.
    final class Network: Sendable {
        let conditions = Mutex(Conditions())
        var isOffline: Bool { conditions.withLock { $0.isOffline } }
    }

    private let network: Network
    private let process: PeopleProcess
    private let server: PeopleServer
    private let time: PeopleTime
    private let random: PartyRandom
    private let name: String
    private let trace: Trace
    /// For a deliberate bug: whether no request is sent for a while after a failure.
    private let keepsFailures: Bool
    private let failedAtMs = Mutex(Int64.min)
    /// Called with each answer that reaches the process.
    private let onAnswer: @Sendable (HTTPClientRequest, HTTPClientResponse) -> Void

    private static let latencyMs = 1...150
    private static let delayMs = 100...8000
    private static let faults: [(NetworkFault, weight: Int)] = [
        (.unreachable, 2), (.requestLost, 2), (.replyLost, 4), (.delayed, 3), (.truncated, 1), (.serverError, 1),
        (.serverErrorAfterwards, 2), (.unavailable, 1), (.tooManyRequests, 1), (.html, 1),
    ]

    init(
        _ network: Network, of process: PeopleProcess, to server: PeopleServer, time: PeopleTime, random: PartyRandom,
        name: String, trace: Trace, keepsFailures: Bool,
        onAnswer: @escaping @Sendable (HTTPClientRequest, HTTPClientResponse) -> Void
    ) {
        self.network = network
        self.process = process
        self.server = server
        self.time = time
        self.random = random
        self.name = name
        self.trace = trace
        self.keepsFailures = keepsFailures
        self.onAnswer = onAnswer
    }

    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        if process.hasEnded { throw .notSent(reason: "the process has ended") }
        if keepsFailures, failedAtMs.withLock({ time.nowMs - 20_000 < $0 }) { throw .notSent(reason: "kept") }
        let fault = draw()
        trace.note("\(name) \(request.traceText) \(fault?.rawValue ?? "")")
        if let fault, !network.isOffline { trace.countFault(fault.rawValue) }
        if fault == .unreachable {
            failedAtMs.withLock { [now = time.nowMs] in $0 = now }
            throw .notSent(reason: "connection refused")
        }
        try await pass()
        let answer = try await transmit(request, fault)
        try await pass()
        if process.hasEnded { throw .outcomeUnknown(reason: "the process has ended") }
        onAnswer(request, answer)
        return answer
    }

    private func pass() async throws(HTTPTransportError) {
        do { try await time.wait(ms: random.within(Self.latencyMs)) } catch {
            throw .outcomeUnknown(reason: "the request was cancelled")
        }
    }

    private func draw() -> NetworkFault? {
        let conditions = network.conditions.withLock { $0 }
        if conditions.isOffline { return .unreachable }
        guard random.chance(conditions.faultShare) else { return nil }
        return random.pick(weighted: Self.faults)
    }

    private func transmit(
        _ request: HTTPClientRequest, _ fault: NetworkFault?
    ) async throws(HTTPTransportError) -> HTTPClientResponse {
        switch fault {
        case .requestLost: throw .outcomeUnknown(reason: "time-out")
        case .replyLost:
            _ = await server.answer(request, of: name)
            throw .outcomeUnknown(reason: "connection reset")
        case .delayed:
            // A request that creates a user or changes a password is not executed late: the simulation must record its
            // result.
            let isOfUser = request.url.hasPrefix(PeopleServer.url + "/users")
            if !request.isRepeatable, !isOfUser {
                server.deliverLater(request, of: name, afterMs: random.within(Self.delayMs))
            }
            throw .outcomeUnknown(reason: "time-out")
        case .truncated:
            var answer = await server.answer(request, of: name)
            answer.body.removeLast(answer.body.count / 2)
            return answer
        case .serverErrorAfterwards:
            _ = await server.answer(request, of: name)
            return Self.falsified(500, #"{"code":1,"message":"Internal server error."}"#)
        case .serverError: return Self.falsified(500, #"{"code":1,"message":"Internal server error."}"#)
        case .unavailable: return Self.falsified(503, "<html>Service Unavailable</html>")
        case .html: return Self.falsified(200, "<html>Please sign in to this network</html>")
        case .tooManyRequests: return Self.falsified(429, #"{"error":"too many requests"}"#)
        default: return await server.answer(request, of: name)
        }
    }

    private static func falsified(_ status: Int, _ body: String) -> HTTPClientResponse {
        HTTPClientResponse(status: .init(code: status), body: Array(body.utf8))
    }
}

extension HTTPClientRequest {
    /// The request as a text for the trace: the method, the end of the URL, the requests of a batch, and the end of the
    /// session token.
    fileprivate var traceText: String {
        let address = (url.removingPercentEncoding ?? url).suffix(60)
        let items = (try? JSONReader.read(body).object)?["requests"]?.array ?? []
        let parts = items.compactMap(\.object).map { item in
            "\(item["method"]?.string ?? "") \((item["path"]?.string ?? "").suffix(40))"
        }
        let token = headers[.parseSessionToken]?.suffix(6) ?? ""
        return "\(method.rawValue) \(address) \(parts) \(token)"
    }
}
