import HTTPServer
import LocalStore
import ParseModel

/// `/batch`: several requests in one, answered in their order.
///
/// Runs of writes go to the store together. What Parse Server carries out at once happens here one after the other,
/// so that a later item sees what an earlier one did.
struct BatchRoute: Sendable {
    let store: any ObjectStore
    let objects: ObjectRoutes
    let limits: GatewayAPI.Limits
    let reads: SlowReads
    let uptime: @Sendable () -> Duration
    /// Of the answers to items that batches in work hold.
    private let answerBudget: ByteBudget

    init(
        store: any ObjectStore, objects: ObjectRoutes, limits: GatewayAPI.Limits, reads: SlowReads,
        uptime: @escaping @Sendable () -> Duration
    ) {
        self.store = store
        self.objects = objects
        self.limits = limits
        self.reads = reads
        self.uptime = uptime
        answerBudget = ByteBudget(bytesMax: limits.batchBytesMax)
    }

    /// What is to be done, every path known to be good.
    struct Plan: Sendable {
        let items: [Item]
        let isAtomic: Bool
        let asksForSyncState: Bool
        let isMaster: Bool
        let client: HTTPClientPresence
    }

    enum Item: Sendable {
        case read(ObjectRoutes.Target, parameters: JSONObject)
        case write(WriteRequest)
        /// What else has a route, answered as the request alone would be.
        case call(Call, isRemotes: Bool)
        /// Refused before anything was done; the others go on.
        case refused(any Error)
    }

    /// - Throws: `ParseError` for the whole batch, before any item is carried out.
    func plan(_ call: Call) throws -> Plan {
        let body = try call.parse.body.fields
        // Here nobody has a session yet, and one that is not valid fails a whole batch.
        let hasSession = call.parse.credentials.sessionToken != nil
        guard let requests = body["requests"]?.array else {
            if hasSession { throw objects.sessionRefusal }
            throw ParseError(.invalidJSON, "requests must be an array")
        }
        guard requests.count <= limits.batchMax else {
            throw ParseError(
                .operationForbidden,
                "A batch of \(requests.count) requests is over the maximum of \(limits.batchMax).")
        }
        let items = try requests.map { try item($0, of: call) }
        if hasSession, items.isEmpty || !items.allSatisfy(\.isRemotes) { throw objects.sessionRefusal }
        let isAtomic = body["transaction"] == true
        if isAtomic { try items.forEach(Self.checkAtomic) }
        return Plan(
            items: items, isAtomic: isAtomic, asksForSyncState: call.parse.asksForSyncState, isMaster: call.isMaster,
            client: call.http.client)
    }

    private static func checkAtomic(_ item: Item) throws {
        switch item {
        case .refused(let error): throw error
        case .read: throw ParseError(.invalidJSON, "A batch in a transaction cannot hold a GET.")
        case .call(let call, _):
            let path = call.path.segments.joined(separator: "/")
            throw ParseError(
                .invalidJSON, "A batch in a transaction cannot hold /\(path): it is no write of an object here.")
        case .write: break
        }
    }

    /// What came of an item.
    private enum Outcome {
        case success([UInt8])
        case failure(JSONObject)
    }

    /// - Parameters:
    ///   - answer: answers an item as the request that it is.
    ///   - errorAnswer: what an item's error is answered with.
    /// - Returns: `[{"success":…},{"error":…},…]` as JSON text.
    /// - Throws: what made a transaction fail.
    func run(
        _ plan: Plan, answer: @Sendable (Call) async throws -> HTTPServerResponse,
        errorAnswer: @Sendable (any Error) -> ErrorAnswer
    ) async throws -> [UInt8] {
        let deadline = uptime() + limits.batchTimeMax
        var bytesLeft = limits.answerBytesMax
        var bytesReserved = 0
        defer { answerBudget.release(bytesReserved) }
        var outcomes = [Outcome](repeating: .success([]), count: plan.items.count)
        func note(_ result: Result<[UInt8], any Error>, at place: Int) {
            switch result {
            case .success(let text): outcomes[place] = .success(text)
            case .failure(let error): outcomes[place] = .failure(errorAnswer(error).batchItem)
            }
        }
        var waiting: [(place: Int, write: WriteRequest)] = []
        func flush() async throws {
            guard !waiting.isEmpty else { return }
            let results = await store.perform(waiting.map(\.write), atomically: plan.isAtomic)
            for (waiting, result) in zip(waiting, results) {
                if plan.isAtomic, case .failure(let error) = result {
                    throw objects.refusal(error, of: waiting.write.className, isMaster: plan.isMaster)
                }
                let answered = result.map { ObjectRoutes.answer(to: waiting.write, $0).jsonBytes }
                    .mapError { objects.refusal($0, of: waiting.write.className, isMaster: plan.isMaster) }
                note(answered, at: waiting.place)
            }
            waiting = []
        }
        var remoteIsAway = false
        for (place, item) in plan.items.enumerated() {
            // A transaction is one write.
            guard plan.isAtomic || !plan.client.hasLeft && uptime() < deadline else {
                note(.failure(Self.overdue), at: place)
                continue
            }
            switch item {
            case .write(let write): waiting.append((place, write))
            case .read(let target, let parameters):
                try await flush()
                let time = min(limits.queryTimeMax, max(.zero, deadline - uptime()))
                let reading = ObjectRoutes.Reading(
                    asksForSyncState: plan.asksForSyncState, isMaster: plan.isMaster,
                    patience: Patience(time, for: plan.client), bytesMax: bytesLeft)
                note(
                    await reads.run(.batchItem, for: plan.client) { try objects.read(target, parameters, reading) },
                    at: place)
            case .call(let call, let isRemotes):
                try await flush()
                // Each would wait as long as the first one did.
                guard !isRemotes || !remoteIsAway else {
                    note(.failure(Self.notAsked), at: place)
                    continue
                }
                do {
                    let response = try await answer(call)
                    remoteIsAway = isRemotes && [503, 504].contains(response.status.code)
                    outcomes[place] = Self.outcome(of: response, bytesMax: bytesLeft)
                } catch {
                    note(.failure(error), at: place)
                }
            case .refused(let error): note(.failure(error), at: place)
            }
            guard case .success(let text) = outcomes[place], !text.isEmpty else { continue }
            guard answerBudget.reserve(text.count) else {
                note(.failure(APIError.busy), at: place)
                continue
            }
            bytesReserved += text.count
            bytesLeft -= text.count
        }
        try await flush()
        return Self.text(of: outcomes)
    }

    private static let overdue = ParseError(.timeout, "The batch takes too long: this was not begun.")
    private static let notAsked = APIError.remoteUnreachable(
        reason: "The remote did not answer an item before this one, and was not asked again.")

    /// An answer as an item of a batch: without its status and headers.
    private static func outcome(of response: HTTPServerResponse, bytesMax: Int) -> Outcome {
        let object = (try? JSONReader.read(response.body, depthMax: JSONReader.answerDepthMax))
        guard response.status.kind == .successful, object != nil || response.body.isEmpty else {
            let error = object?.object.flatMap { $0["error"] == nil ? nil : $0 }
            return .failure(
                error ?? [
                    "code": 1, "error": .string("The answer was HTTP \(response.status.code), without a reason."),
                ])
        }
        guard response.body.count <= bytesMax else {
            return .failure(
                ErrorAnswer(ParseError(.objectTooLarge, "The answers are larger than a batch may be.")).batchItem)
        }
        return .success(response.body.isEmpty ? Array("{}".utf8) : response.body)
    }

    private static func text(of outcomes: [Outcome]) -> [UInt8] {
        var writer = JSONWriter(reserving: 96 * outcomes.count + 2)
        writer.raw("[")
        for (place, outcome) in outcomes.enumerated() {
            if place > 0 { writer.raw(",") }
            switch outcome {
            case .success(let text): writer.raw("{\"success\":\(String(decoding: text, as: UTF8.self))}")
            case .failure(let error): writer.write(["error": .object(error)] as JSONObject)
            }
        }
        writer.raw("]")
        return writer.bytes
    }

    // MARK: Reading items

    /// - Throws: for an item that has no route, which is an error of the whole batch.
    private func item(_ request: JSONValue, of batch: Call) throws -> Item {
        guard let object = request.object, let path = object["path"]?.string else {
            throw ParseError(.invalidJSON, "Each of requests must be an object with method, path and body")
        }
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let routePath = try? RoutePath(parts[0]), RouteTable.knows(routePath) else {
            throw ParseError(.invalidJSON, "cannot route batch path \(path)")
        }
        let name = object["method"]?.string ?? "undefined"
        guard let method = Route.Method(rawValue: name), let match = RouteTable.match(method, routePath),
            match.endpoint.isParse
        else { throw ParseError(.invalidJSON, "cannot route \(name) \(path)") }
        guard match.endpoint != .batch else {
            throw ParseError(.invalidJSON, "nested batch requests are not allowed")
        }
        do {
            let ifMatch = object["ifMatch"]
            guard ifMatch == nil || ifMatch?.string != nil else {
                throw ParseError(.invalidQuery, "ifMatch must be a text, as the header If-Match has it.")
            }
            let query = parts.count > 1 ? String(parts[1]) : nil
            let call = Call(
                item: match, method, routePath, query: query,
                parameters: try ParseRequest.parameters(query, limits: limits), body: object["body"],
                ifMatch: ifMatch?.string, of: batch)
            return try item(call)
        } catch {
            return .refused(error)
        }
    }

    private func item(_ call: Call) throws -> Item {
        let hasSession = call.parse.credentials.sessionToken != nil
        if try objects.isRemotes(call.endpoint, call.parameters, hasSession: hasSession) {
            return .call(call, isRemotes: true)
        }
        let own = call.onObjects
        switch own.endpoint {
        case .listObjects:
            // Members of a relation may be the remote's to tell.
            if objects.isReplica, try ForwardedQueries.relation(in: own) != nil { return .call(call, isRemotes: false) }
            return try read(own)
        case .getObject: return try read(own)
        case .createObject, .updateObject, .deleteObject: return .write(try objects.write(own))
        default: return .call(call, isRemotes: false)
        }
    }

    private func read(_ call: Call) throws -> Item {
        _ = try call.parse.body.fields
        return .read(
            try ObjectRoutes.Target(call.endpoint, path: call.parameters), parameters: call.parse.searchParameters)
    }
}

extension BatchRoute.Item {
    fileprivate var isRemotes: Bool {
        if case .call(_, isRemotes: true) = self { true } else { false }
    }
}
