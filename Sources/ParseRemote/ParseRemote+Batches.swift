import ParseModel
import RemoteService

/// Sends queries in batches. A batch that the server refuses for its size is sent again in smaller parts, and later batches are as small.
extension ParseRemote {
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

    /// Sends queries as one batch. If the server refuses the batch, its halves or the single queries are sent. Some servers only accept
    /// smaller batches, and a proxy that changes the mount path breaks the paths inside a batch. Repeating reads is safe.
    private func batch(_ queries: [ListQuery]) async throws(RemoteError) -> [ListReply] {
        let response = try await response(to: requests.batch(queries.map(requests.item), isRepeatable: true))
        switch reader.readBatch(response, count: queries.count) {
        case .success(let answers):
            let serverTime = ParseDate(dateOf: response)
            batchLimit.change { $0.noteAccepted(count: queries.count, bytes: nil) }
            return zip(queries, answers).map { ListReply(query: $0, answer: $1, serverTime: serverTime) }
        case .failure(let failure):
            if case .count(let named) = failure.refusalOfBatch {
                batchLimit.change { $0.noteRefusal(ofCount: queries.count, named: named) }
                return try await list(queries, perBatch: max(1, queries.count / 2))
            }
            switch failure {
            case .refused, .tooLarge: return try await list(queries, perBatch: 1)
            default: throw failure.remoteError
            }
        }
    }

    /// Sends a single operation to its own route, and several in `/batch` requests.
    package func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        await PushBatches(remote: self).push(operations)
    }
}
