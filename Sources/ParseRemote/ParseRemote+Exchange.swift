import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService

/// Sends requests and reads the answers.
extension ParseRemote {
    /// Sends a request of a sync, under the session of the configuration's user if there is one.
    private func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        guard let sessions = configuration.sessions else { return try await transport.send(request) }
        return try await SessionTransport(transport: transport, sessions: sessions).send(request)
    }

    /// Sends a request other than a push or a forwarded call, and returns the response.
    func response(to request: HTTPClientRequest) async throws(RemoteError) -> HTTPClientResponse {
        RequestCount.current?.add()
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

    /// Sends queries in batches.
    /// - Parameter perBatch: the maximum number of queries in one batch; nil for the configured maximum.
    /// - Returns: a reply for each query, in order. The refusal of a single query is in its reply.
    /// - Throws: if a whole batch fails.
    func list(_ queries: [ListQuery], perBatch: Int? = nil) async throws(RemoteError) -> [ListReply] {
        var replies: [ListReply] = []
        replies.reserveCapacity(queries.count)
        for chunk in queries.chunks(of: min(perBatch ?? configuration.batchMax, configuration.batchMax)) {
            if chunk.count == 1, let query = chunk.first {
                replies.append(try await only(query))
            } else {
                replies.append(contentsOf: try await batch(Array(chunk)))
            }
        }
        return replies
    }

    /// Sends queries as one batch. If the server refuses the batch, each query is sent alone. Some servers only accept smaller
    /// batches, and a proxy that changes the mount path breaks the paths inside a batch. Repeating reads is safe.
    private func batch(_ queries: [ListQuery]) async throws(RemoteError) -> [ListReply] {
        let response = try await response(to: requests.batch(queries.map(requests.item), isRepeatable: true))
        switch reader.readBatch(response, count: queries.count) {
        case .success(let answers):
            let serverTime = ParseDate(dateOf: response)
            return zip(queries, answers).map { ListReply(query: $0, answer: $1, serverTime: serverTime) }
        case .failure(.refused), .failure(.tooLarge):
            var replies: [ListReply] = []
            for query in queries { replies.append(try await only(query)) }
            return replies
        case .failure(let failure):
            throw failure.remoteError
        }
    }

    /// Sends one operation without a batch.
    func pushAlone(_ operation: PushOperation) async -> PushOutcome {
        RequestCount.current?.add()
        do {
            return PushOutcome(reader.read(try await send(requests.write(operation))), of: operation)
        } catch {
            return reader.cleaner.pushOutcome(of: error)
        }
    }

    /// Sends several operations as one batch, which the server executes concurrently.
    func pushBatch(_ operations: [PushOperation]) async -> [PushOutcome] {
        RequestCount.current?.add()
        do {
            let response = try await send(
                requests.batch(operations.map(requests.item), isRepeatable: false))
            switch reader.readBatch(response, count: operations.count) {
            case .success(let answers): return zip(operations, answers).map { PushOutcome($1, of: $0) }
            case .failure(let failure): return operations.map { _ in PushOutcome(ofWholeBatch: failure) }
            }
        } catch {
            return operations.map { _ in reader.cleaner.pushOutcome(of: error) }
        }
    }
}
