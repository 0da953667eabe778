import LocalStore
import ParseModel

/// `/batch`: several requests of `/classes/…` in one, answered in their order.
///
/// Runs of writes go to the store together. What Parse Server carries out at once happens here one after the other,
/// so that a later item sees what an earlier one did.
struct BatchRoute: Sendable {
    let store: any ObjectStore
    let objects: ObjectRoutes
    let limits: GatewayAPI.Limits
    let reads: SlowReads

    /// What is to be done, every path known to be good.
    struct Plan: Sendable {
        let items: [Item]
        let isAtomic: Bool
        let asksForSyncState: Bool
        let isMaster: Bool
    }

    enum Item: Sendable {
        case read(ObjectRoutes.Target, parameters: JSONObject)
        case write(WriteRequest)
        /// Refused before anything was done; the others go on.
        case refused(any Error)
    }

    /// - Throws: `ParseError` for the whole batch, before any item is carried out.
    func plan(_ call: Call) throws -> Plan {
        let body = try call.parse.body.fields
        guard let requests = body["requests"]?.array else {
            throw ParseError(.invalidJSON, "requests must be an array")
        }
        guard requests.count <= limits.batchMax else {
            throw ParseError(
                .operationForbidden,
                "A batch of \(requests.count) requests is over the maximum of \(limits.batchMax).")
        }
        let items = try requests.map { try item($0, isMaster: call.isMaster) }
        let isAtomic = body["transaction"] == true
        if isAtomic {
            for item in items {
                switch item {
                case .refused(let error): throw error
                case .read: throw ParseError(.invalidJSON, "A batch in a transaction cannot hold a GET.")
                case .write: break
                }
            }
        }
        return Plan(
            items: items, isAtomic: isAtomic, asksForSyncState: call.parse.asksForSyncState, isMaster: call.isMaster)
    }

    /// - Parameter errorAnswer: what an item's error is answered with.
    /// - Returns: `[{"success":…},{"error":…},…]` as JSON text.
    /// - Throws: what made a transaction fail.
    func run(_ plan: Plan, errorAnswer: @Sendable (any Error) -> ErrorAnswer) async throws -> [UInt8] {
        var bytesLeft = limits.answerBytesMax
        var outcomes = [Result<[UInt8], any Error>](repeating: .success([]), count: plan.items.count)
        var waiting: [(place: Int, write: WriteRequest)] = []
        func flush() async throws {
            guard !waiting.isEmpty else { return }
            let results = await store.perform(waiting.map(\.write), atomically: plan.isAtomic)
            for (waiting, result) in zip(waiting, results) {
                if plan.isAtomic { _ = try result.get() }
                outcomes[waiting.place] = result.map { ObjectRoutes.answer(to: waiting.write, $0).jsonBytes }
            }
            waiting = []
        }
        for (place, item) in plan.items.enumerated() {
            switch item {
            case .write(let write): waiting.append((place, write))
            case .read(let target, let parameters):
                try await flush()
                let reading = ObjectRoutes.Reading(
                    asksForSyncState: plan.asksForSyncState, isMaster: plan.isMaster, patience: limits.queryTimeMax,
                    bytesMax: bytesLeft)
                outcomes[place] = await reads.run { try objects.read(target, parameters, reading) }
                if case .success(let text) = outcomes[place] { bytesLeft -= text.count }
            case .refused(let error): outcomes[place] = .failure(error)
            }
        }
        try await flush()
        return Self.text(of: outcomes, errorAnswer)
    }

    private static func text(
        of outcomes: [Result<[UInt8], any Error>], _ errorAnswer: (any Error) -> ErrorAnswer
    ) -> [UInt8] {
        var writer = JSONWriter(reserving: 96 * outcomes.count + 2)
        writer.raw("[")
        for (place, outcome) in outcomes.enumerated() {
            if place > 0 { writer.raw(",") }
            switch outcome {
            case .success(let text): writer.raw("{\"success\":\(String(decoding: text, as: UTF8.self))}")
            case .failure(let error): writer.write(["error": .object(errorAnswer(error).batchItem)] as JSONObject)
            }
        }
        writer.raw("]")
        return writer.bytes
    }

    /// - Throws: for an item that has no route, which is an error of the whole batch.
    private func item(_ request: JSONValue, isMaster: Bool) throws -> Item {
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
        let objects = match.endpoint.onObjects
        let endpoint = objects?.endpoint ?? match.endpoint
        let parameters = (objects.map { [$0.className] } ?? []) + match.parameters
        guard endpoint.isObjects, !self.objects.isRemotes(endpoint, parameters[0], hasSession: false) else {
            return .refused(
                ParseError(
                    .operationForbidden, "\(path) is not possible in a batch here: send it as a request of its own."))
        }
        do {
            let query = parts.count > 1 ? String(parts[1]) : nil
            return try item(endpoint, parameters, object, query: query, isMaster: isMaster)
        } catch {
            return .refused(error)
        }
    }

    private func item(
        _ endpoint: Endpoint, _ path: [String], _ request: JSONObject, query: String?, isMaster: Bool
    ) throws -> Item {
        let target = try ObjectRoutes.Target(endpoint, path: path)
        let body: ParseRequest.Body =
            switch request["body"] {
            case nil, .null: .object([:])
            case .object(let object): .object(object)
            case .array: .array
            default: .scalar
            }
        guard endpoint == .listObjects || endpoint == .getObject else {
            return .write(try objects.write(target, body, isMaster: isMaster))
        }
        var parameters = try body.fields
        for (name, value) in try ParseRequest.parameters(query, limits: limits) { parameters[name] = value }
        return .read(target, parameters: parameters)
    }
}
