import HTTPServer
import ParseModel
import StoreService

/// Runs list queries. Most run on the server's own thread. A query that takes too long runs again on a thread for blocking reads.
struct ListRunner: Sendable {
    let reads: ObjectReads
    let threads: BlockingReads
    let quickLists: QuickLists
    let responses: ResponseBuilder
    /// The time limit of one query.
    let timeMax: Duration

    func reply(to request: RoutedRequest) throws -> RouteReply {
        let start = quickLists.start(of: try request.target.className, request.parse.searchParameters, timeMax: timeMax)
        if case .atOnce(let timeout) = start {
            do {
                let text = try quickLists.watching { try reads.list(request, within: timeout) }
                return .now(responses.json(text))
            } catch StoreError.tookTooLong {
                quickLists.noteSlowOne()
            }
        }
        return .later {
            if start == .onQuickThread {
                do {
                    let text = await threads.run(.quick, for: request.http.client) {
                        try reads.list(request, within: QuickLists.timeout)
                    }
                    return responses.json(try text.get())
                } catch StoreError.tookTooLong {
                    quickLists.noteSlowOne()
                }
            }
            return try await response(to: request)
        }
    }

    /// Runs the query on a thread for blocking reads.
    func response(to request: RoutedRequest) async throws -> HTTPServerResponse {
        let text = await threads.run(for: request.http.client) {
            try quickLists.notingTime(of: try request.target.className, request.parse.searchParameters) {
                try reads.list(request, within: timeMax)
            }
        }
        return responses.json(try text.get())
    }
}
