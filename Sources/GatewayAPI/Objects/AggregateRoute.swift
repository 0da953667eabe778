import HTTPServer
import ParseModel
import StoreService

/// `/aggregate/{className}`, computed from local objects. A replica forwards the request if the class is not fully stored
/// locally, or if the request has another master key than this gateway's.
struct AggregateRoute: Sendable {
    let store: any ObjectStore
    let responses: ResponseBuilder
    let limits: RequestLimits
    let reads: BlockingReads
    /// The sync engine and the forwarded calls; nil in standalone mode.
    let remote: (control: any SyncControl, calls: ForwardedCalls)?
    let now: @Sendable () -> ParseDate
    let uptime: @Sendable () -> Duration

    var routes: [Route] {
        var policy = RoutePolicy.objects(.aggregate)
        // A forwarded aggregate may read objects with local writes, so it waits until the remote has these writes.
        policy.forwarding.queuedWrites = .always
        return [Route(.get, "/aggregate/{className}", "aggregate", policy, answer)]
    }

    /// - Throws: `APIError.masterKeyRequired`; `ParseError` for an invalid pipeline, and for a class that Tidegate does not
    ///   support yet. The asynchronous part of the reply can throw the same errors, and errors of the remote.
    private func answer(_ request: RoutedRequest) throws -> RouteReply {
        let className = try request.target.className
        guard let remote else {
            let read = try reading(request, className)
            return .later { [reads] in try await reads.run(for: request.http.client, read).get() }
        }
        // A request without a master key is refused. A master key other than this gateway's may be the remote's, so the request
        // is forwarded.
        if request.parse.credentials.masterKey == nil { try request.requireMaster() }
        return .later {
            guard request.principal.isMaster, try await remote.control.keepsWhole(className) else {
                return try await remote.calls.answer(request)
            }
            return try await reads.run(for: request.http.client, try reading(request, className)).get()
        }
    }

    private func reading(
        _ request: RoutedRequest, _ className: String
    ) throws -> @Sendable () throws -> HTTPServerResponse {
        try request.requireMaster()
        var query = try AggregateQuery(parameters: request.parse.searchParameters)
        query.source.predicate = try Redirection(store: store, principal: request.principal).resolved(
            query.source.predicate)
        let timeout = ReadTimeout(limits.queryTimeMax, for: request.http.client)
        return { [query] in
            if query.source.explains {
                return responses.json(
                    try store.explanation(className, query.source, as: request.principal, timeout: timeout))
            }
            let text = try results(className, query, as: request.principal, timeout)
            return responses.list(text, damagedCount: store.damagedCount(of: className))
        }
    }

    private func results(
        _ className: String, _ query: AggregateQuery, as principal: Principal, _ timeout: ReadTimeout
    ) throws -> [UInt8] {
        let list = List(bytesMax: limits.answerBytesMax)
        try store.aggregate(
            className, query, as: principal, now: now(), timeout: timeout, uptime: uptime
        ) { try list.append(query.form.shown($0)) }
        return list.bytes + Array("]}".utf8)
    }

    /// The text of the response, `{"results":[…`, without the closing `]}`. The text has a maximum size.
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
                throw ParseError(.objectTooLarge, "The answer is larger than \(bytesMax) bytes: request less.")
            }
        }
    }
}
