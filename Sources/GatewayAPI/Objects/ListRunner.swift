import HTTPServer
import ParseModel
import StoreService

/// Runs list queries. Most run on the server's own thread. A query that takes too long there runs again on a thread for
/// blocking reads. A query that is expected to be slow starts on such a thread, if one is idle.
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
                return .now(try response(text, to: request))
            } catch StoreError.tookTooLong {
                quickLists.noteSlowOne()
            }
        }
        return .later {
            // All threads for slow reads may be busy for seconds, and the list may be quick although a list of its shape
            // was slow.
            if start == .onQuickThread || (start == .onSlowThread && !threads.hasIdle(.single)) {
                do {
                    return try await response(to: request, on: .quick, within: QuickLists.timeout)
                } catch StoreError.tookTooLong {
                    quickLists.noteSlowOne()
                }
            }
            return try await response(to: request)
        }
    }

    /// Runs the query on a thread for slow reads.
    func response(to request: RoutedRequest) async throws -> HTTPServerResponse {
        try await response(to: request, on: .single, within: timeMax)
    }

    private func response(
        to request: RoutedRequest, on kind: BlockingReads.Kind, within time: Duration
    ) async throws -> HTTPServerResponse {
        let text = await threads.run(kind, for: request.http.client) {
            try quickLists.notingTime(of: try request.target.className, request.parse.searchParameters) {
                try reads.list(request, within: time)
            }
        }
        return try response(text.get(), to: request)
    }

    private func response(_ text: [UInt8], to request: RoutedRequest) throws -> HTTPServerResponse {
        responses.list(text, damagedCount: reads.store.damagedCount(of: try request.target.className))
    }
}
