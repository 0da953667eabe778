import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService

/// Sends requests to a Parse Server and reads the answers. Its only state is the size of batches that the server
/// accepts.
struct ParseExchange: Sendable {
    let configuration: ParseRemoteConfiguration
    let transport: any HTTPTransport
    let requests: ParseRequests
    let reader: AnswerReader
    let batchLimit: SharedBatchLimit

    init(_ configuration: ParseRemoteConfiguration, _ transport: any HTTPTransport) {
        var configuration = configuration
        configuration.batchMax = max(1, configuration.batchMax)
        configuration.pageSize = max(1, configuration.pageSize)
        self.configuration = configuration
        self.transport = transport
        requests = ParseRequests(configuration)
        reader = AnswerReader(secrets: configuration.secrets)
        batchLimit = SharedBatchLimit(countMax: configuration.batchMax, named: configuration.limits)
    }

    var batchMax: Int { batchLimit.current.count }

    /// Sends and counts a request of a sync, under the session of the configured user if there is one. If the server
    /// refuses it because of a rate limit and the wait is short, waits and sends the request again: the server has
    /// executed nothing.
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        var throttling = Throttling()
        while true {
            RequestCount.current?.add()
            let response = try await sendOnce(request)
            guard let wait = configuration.wait, response.isRateLimited(isBatch: requests.isBatch(request)),
                let delay = throttling.next(response.retryAfter)
            else { return response }
            do { try await wait(delay) } catch { return response }
        }
    }

    private func sendOnce(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        guard let sessions = configuration.sessions else { return try await transport.send(request) }
        return try await SessionTransport(transport: transport, sessions: sessions).send(request)
    }

    /// Sends a request that is neither a push nor a forwarded call, and returns the response.
    func response(to request: HTTPClientRequest) async throws(RemoteError) -> HTTPClientResponse {
        do {
            return try await send(request)
        } catch {
            throw reader.cleaner.remoteError(of: error)
        }
    }

    /// Sends one query and returns its reply.
    func only(_ query: ListQuery) async throws(RemoteError) -> ListReply {
        let response = try await response(to: requests.list(query))
        return ListReply(
            query: query, answer: reader.read(response), serverTime: ParseDate(dateOf: response),
            bytes: response.body.count)
    }

    /// Sends one operation without a batch.
    func pushAlone(_ operation: PushOperation) async -> PushOutcome {
        do {
            return PushOutcome(reader.read(try await send(requests.write(operation))), of: operation)
        } catch {
            return reader.cleaner.pushOutcome(of: error)
        }
    }

    // MARK: Batches

    /// Sends queries in batches.
    /// - Parameter perBatch: the maximum number of queries in one batch; nil for the limit of the server.
    /// - Returns: a reply for each query, in order. The refusal of a single query is in its reply.
    /// - Throws: if a whole batch fails.
    func list(_ queries: [ListQuery], perBatch: Int? = nil) async throws(RemoteError) -> [ListReply] {
        var replies: [ListReply] = []
        replies.reserveCapacity(queries.count)
        for chunk in queries.chunks(of: min(perBatch ?? .max, batchMax)) {
            if chunk.count == 1, let query = chunk.first {
                replies.append(try await only(query))
            } else {
                replies.append(contentsOf: try await batch(Array(chunk)))
            }
        }
        return replies
    }

    /// Sends queries as one batch. If the server refuses the batch, sends its halves or the single queries: some
    /// servers only accept smaller batches, and a proxy that changes the mount path breaks the paths inside a batch.
    /// Repeating reads is safe.
    private func batch(_ queries: [ListQuery]) async throws(RemoteError) -> [ListReply] {
        let response = try await response(to: requests.batch(queries.map(requests.item), isRepeatable: true))
        switch reader.readBatch(response, count: queries.count) {
        case .success(let answers):
            let serverTime = ParseDate(dateOf: response)
            batchLimit.change { $0.noteAccepted(count: queries.count, bytes: nil) }
            return zip(queries, answers).map { ListReply(query: $0, answer: $1, serverTime: serverTime) }
        case .failure(let failure):
            if case .count(let named) = failure.refusalOfBatch {
                await batchLimit.noteRefusal(ofCount: queries.count, named: named)
                return try await list(queries, perBatch: max(1, queries.count / 2))
            }
            switch failure {
            case .refused, .tooLarge: return try await list(queries, perBatch: 1)
            default: throw failure.remoteError
            }
        }
    }

    // MARK: Pages

    /// Requests a page. If the answer is too large, requests the page again with half the page size, down to one row.
    /// - Parameter ask: sends a request for at most `limit` rows.
    func halving<Page>(
        _ ask: (_ limit: Int) async throws(RemoteError) -> Page
    ) async throws(RemoteError) -> Page {
        var limit = configuration.pageSize
        while true {
            do throws(RemoteError) {
                return try await ask(limit)
            } catch {
                guard case .tooMuch = error, limit > 1 else { throw error }
                limit /= 2
            }
        }
    }
}
