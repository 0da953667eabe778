import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService

/// Sends requests and reads the answers.
extension ParseRemote {
    /// Sends a request of a sync, under the session of the configuration's user if there is one.
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
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

    /// Sends one operation without a batch.
    func pushAlone(_ operation: PushOperation) async -> PushOutcome {
        RequestCount.current?.add()
        do {
            return PushOutcome(reader.read(try await send(requests.write(operation))), of: operation)
        } catch {
            return reader.cleaner.pushOutcome(of: error)
        }
    }
}
