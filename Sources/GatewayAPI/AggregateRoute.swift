import HTTPServer
import LocalStore
import ParseModel

/// `/aggregate/:class`, over what is kept here. What is not kept whole is the remote's to answer.
struct AggregateRoute: Sendable {
    let store: any ObjectStore
    let answers: Answers
    let limits: GatewayAPI.Limits
    let reads: SlowReads
    /// Nil in standalone mode.
    let control: (any SyncControl)?
    let forwarded: ForwardedCalls
    let now: @Sendable () -> ParseDate
    let uptime: @Sendable () -> Duration

    /// - Throws: `APIError.masterKeyRequired`, `ParseError` for a question that cannot be answered, and what the remote
    ///   throws where it is asked.
    func answer(_ call: Call) throws -> @Sendable () async throws -> HTTPServerResponse {
        let className = try ObjectRoutes.Target(call.endpoint, path: call.parameters).className
        guard let control else {
            let read = try reading(call, className)
            return { [reads] in try await reads.run(for: call.http.client, read).get() }
        }
        // Another master key than this gateway's may be the remote's.
        if call.parse.credentials.masterKey == nil { try call.requireMaster() }
        return { [self] in
            guard call.isMaster, try await control.keepsWhole(className) else {
                return try await forwarded.answer(call)
            }
            return try await reads.run(for: call.http.client, try reading(call, className)).get()
        }
    }

    private func reading(_ call: Call, _ className: String) throws -> @Sendable () throws -> HTTPServerResponse {
        try call.requireMaster()
        var query = try AggregateQuery(parameters: call.parse.searchParameters)
        query.source.predicate = try Redirection(store: store).resolved(query.source.predicate)
        let patience = Patience(limits.queryTimeMax, for: call.http.client)
        return { [self, query] in
            if query.source.explains {
                return answers.json(
                    try store.explanation(className, query.source, patience: patience))
            }
            return answers.json(try results(className, query, patience))
        }
    }

    private func results(
        _ className: String, _ query: AggregateQuery, _ patience: Patience
    ) throws -> [UInt8] {
        let list = List(bytesMax: limits.answerBytesMax)
        try store.aggregate(
            className, query, now: now(), patience: patience, uptime: uptime, each: list.append)
        return list.bytes + Array("]}".utf8)
    }

    /// `{"results":[…`
    private final class List {
        private(set) var bytes = Array("{\"results\":[".utf8)
        private var isEmpty = true
        private let bytesMax: Int

        init(bytesMax: Int) { self.bytesMax = bytesMax }

        func append(_ value: JSONValue) throws {
            if !isEmpty { bytes.append(UInt8(ascii: ",")) }
            isEmpty = false
            bytes += value.jsonBytes
            guard bytes.count <= bytesMax else {
                throw ParseError(.objectTooLarge, "The answer is larger than \(bytesMax) bytes: ask for less.")
            }
        }
    }
}
