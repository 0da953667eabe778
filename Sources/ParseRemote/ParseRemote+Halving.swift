import RemoteService

extension ParseRemote {
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
