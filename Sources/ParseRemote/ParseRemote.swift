import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel

/// A Parse Server as the remote of a replica, over any transport. The cursor of a pull contains its position
/// (`KeysetPosition`).
package struct ParseRemote: RemoteService {
    package typealias Configuration = ParseRemoteConfiguration

    let exchange: ParseExchange
    private let callTransport: any HTTPTransport

    /// - Parameters:
    ///   - transport: sends all requests except those of `callTransport`. It must not retry writes or follow redirects.
    ///   - callTransport: sends forwarded calls of local clients, so that calls and syncs do not wait for each other; nil to use
    ///     `transport` for both.
    package init(
        configuration: Configuration, transport: any HTTPTransport, callTransport: (any HTTPTransport)? = nil
    ) {
        exchange = ParseExchange(configuration, transport)
        self.callTransport = callTransport ?? transport
    }

    var configuration: Configuration { exchange.configuration }
    private var requests: ParseRequests { exchange.requests }
    private var reader: AnswerReader { exchange.reader }

    /// The capabilities of a Parse Server, which are equal for all classes.
    package func capabilities(of className: String) -> RemoteCapabilities {
        RemoteCapabilities(
            pageSize: configuration.pageSize, hasTombstones: false, hasConditionalWrites: false,
            operationIds: .list, seesEverything: configuration.masterKey != nil)
    }

    package var batchMax: Int { exchange.batchMax }
    package let batchesMax = 4
    package var limits: RemoteLimits? { configuration.limits }

    package var relations: (any RemoteRelationService)? { ParseRelations(exchange: exchange) }
    package var files: (any RemoteFileService)? { ParseFiles(exchange: exchange) }
    /// The reader of the schemas; nil without the master key, which a Parse Server requires for reading schemas.
    package var schemas: (any RemoteSchemaService)? {
        configuration.masterKey == nil ? nil : ParseSchemas(exchange: exchange)
    }
    package var calls: (any RemoteCallService)? { ParseCalls(exchange: exchange, transport: callTransport) }
    package var probe: (any RemoteProbe)? { ParseProbe(remote: self) }
    package var deletions: (any RemoteDeletionFeed)? { ParseChangeFeed(exchange: exchange) }
    package var changeSignals: (any RemoteChangeSignals)? {
        configuration.liveQuery.map { ParseChangeSignals(exchange, $0) }
    }
    package var sessions: (any RemoteSessionService)? {
        var keyless = configuration
        keyless.masterKey = nil
        return ParseSessions(transport: exchange.transport, requests: ParseRequests(keyless), reader: reader)
    }

    /// The server's time, from the `Date` header of the answer to `GET /health`. A refusal with a Parse error code has the
    /// server's time too. Throws for any other failed answer, which may come from a proxy.
    package func serverTime() async throws(RemoteError) -> ParseDate {
        let response = try await exchange.response(to: requests.get("/health"))
        do {
            _ = try reader.read(response).orRemoteError()
        } catch {
            guard case .refused = error else { throw error }
        }
        guard let serverTime = ParseDate(dateOf: response) else {
            throw .faulty(status: response.status.code, reason: "the answer has no Date header")
        }
        return serverTime
    }

    /// Reads `/users/me`. A Parse Server answers this request under each valid session, even if permissions forbid
    /// reading `_User`.
    package func showsUser() async throws(RemoteError) -> Bool {
        guard configuration.sessions != nil else { return false }
        return try reader.read(try await exchange.response(to: requests.get("/users/me"))).orRemoteError().object != nil
    }

    /// Reads a schema, because a Parse Server requires the master key for this.
    package func requireFullAccess() async throws(RemoteError) {
        guard configuration.masterKey != nil else { return }
        do {
            _ = try reader.read(try await exchange.response(to: requests.get("/schemas/_User"))).orRemoteError()
        } catch {
            switch error {
            case .refused(ParseError.Code.operationForbidden.rawValue, let message), .unauthorized(let message):
                throw .unauthorized(message: "The remote does not accept the master key: \(message)")
            // The server has refused the request for another reason, so it has accepted the key.
            case .refused: return
            default: throw error
            }
        }
    }

    package func pull(_ pulls: [PullRequest]) async throws(RemoteError) -> [PullPage] {
        var pages: [PullPage] = []
        for page in try await firstPages(pulls, watching: []).pages { pages.append(try page.get()) }
        return pages
    }

    /// One page of the ids and `updatedAt` of the objects after the id `last`, in the server's sort order of ids.
    package func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage {
        let page = try await exchange.halving { limit async throws(RemoteError) -> [ObjectStamp] in
            try stamps(in: try await exchange.only(idPage(of: query, range, after: last, limit: limit)), after: last)
        }
        return ObjectStampPage(stamps: page, isLast: page.isEmpty)
    }

    /// Lists the ids of all ranges. Each batch requests the next page of every range that has not ended.
    package func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]] {
        var ids: [[String]] = ranges.map { _ in [] }
        var open = Array(ranges.indices)
        var bounds = configuration.listBounds
        while !open.isEmpty {
            let pages = try await exchange.halving { limit async throws(RemoteError) -> [[String]] in
                let replies = try await exchange.list(
                    open.map { idPage(of: query, ranges[$0], after: ids[$0].last, limit: limit) })
                var pages: [[String]] = []
                for (place, reply) in zip(open, replies) {
                    pages.append(try stamps(in: reply, after: ids[place].last).map(\.objectId))
                }
                return pages
            }
            var further: [Int] = []
            for (place, page) in zip(open, pages) {
                if !page.isEmpty { further.append(place) }
                try bounds.take(page)
                ids[place] += page
            }
            open = further
        }
        return ids
    }

    private func idPage(
        of query: PullQuery, _ range: CreatedRange, after last: String?, limit: Int
    ) -> ListQuery {
        // An empty `last` adds no condition, because the server refuses a comparison with the empty string.
        let conditions = range.conditions(after: last == "" ? nil : last)
        let ids = PullQuery(className: query.className, conditions: query.conditions, keys: ["objectId"])
        return ListQuery(ids, and: conditions, order: "objectId", limit: limit)
    }

    private func stamps(in reply: ListReply, after last: String?) throws(RemoteError) -> [ObjectStamp] {
        let stamps = try reply.stamps()
        if let last, !last.isEmpty, stamps.contains(where: { $0.objectId == last }) {
            throw .faulty(status: 200, reason: "the list of ids does not advance")
        }
        return stamps
    }

    /// Counts the objects of each range, in as few batches as possible.
    package func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?] {
        var counts: [Int?] = []
        for reply in try await exchange.list(ranges.map { ListQuery.count(of: query, created: $0) }) {
            counts.append(try reply.countIfAllowed())
        }
        return counts
    }

    /// Reads objects by id. Missing objects are requested again until an answer is empty (see `FetchPlan`).
    package func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord] {
        var fetch = FetchPlan(className: className, objectIds: objectIds)
        while !fetch.queries.isEmpty {
            try fetch.take(try await exchange.list(fetch.queries, perBatch: FetchPlan.queriesMax))
        }
        return fetch.found
    }

    /// Reads objects of several classes. Requests each object only once, and leaves out the rows of refused queries.
    package func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord] {
        let byClass = Dictionary(grouping: objects, by: \.className).sorted { $0.key < $1.key }
        let queries = byClass.flatMap { className, objects in
            FetchPlan(className: className, objectIds: objects.map(\.objectId)).queries
        }
        var records: [RemoteRecord] = []
        for reply in try await exchange.list(queries) {
            do {
                records += try reply.records()
            } catch .refused {
                // A refused query has no rows. The rows of the other queries are still used.
            }
        }
        return records
    }

    package func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord? {
        let response = try await exchange.response(to: requests.object(className, objectId))
        do throws(RemoteError) {
            let answer = try reader.read(response).orRemoteError()
            guard let record = RemoteRecord(answer, className: className), record.objectId == objectId else {
                throw RemoteError.faulty(status: 200, reason: "the answer is not the object that was asked for")
            }
            return record
        } catch {
            guard case .refused(ParseError.Code.objectNotFound.rawValue, _) = error else { throw error }
            return nil
        }
    }

    /// The oldest objects created at or after the server time `since`. The list ends after 10,000 objects or 64 MiB of answers.
    /// It leaves out rows that are too large for an answer.
    package func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord] {
        var listing = CreatedListing(className: className, since: since, limit: configuration.pageSize)
        while let query = listing.query {
            do throws(RemoteError) {
                let replies = try await exchange.list([query] + [listing.canary].compactMap { $0 })
                try listing.take(replies[0], canary: replies.dropFirst().first)
            } catch {
                guard case .tooMuch = error, listing.halve() else { throw error }
            }
        }
        return listing.found
    }

    /// Whether a create may choose its own objectId. Sends a request that creates no object on the server
    /// (`ChosenIdProbe`).
    package func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool {
        guard className != "_Role" else {
            throw .refused(code: ParseError.Code.incorrectType.rawValue, message: "roles show nothing about ids")
        }
        let request = requests.chosenIdProbe(className, replicaId: configuration.replicaId)
        return try ChosenIdProbe.verdict(reader.read(try await exchange.response(to: request)))
    }

    /// Sends a single operation to its own route, and several in `/batch` requests.
    package func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        await PushBatches(exchange: exchange).push(operations)
    }

    package func close() {
        exchange.transport.close()
        callTransport.close()
    }
}
