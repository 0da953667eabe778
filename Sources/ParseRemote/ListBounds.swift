import RemoteService

/// Limits the memory for the ids that one read lists. The ids arrive page by page, and a faulty server may never
/// end the list. Pure.
struct ListBounds: Sendable {
    let idsMax: Int
    let bytesMax: Int
    private var ids = 0
    private var bytes = 0

    init(idsMax: Int = 10_000_000, bytesMax: Int = 256 << 20) {
        self.idsMax = idsMax
        self.bytesMax = bytesMax
    }

    /// Adds a page to the totals.
    /// - Parameter page: the ids of the page.
    /// - Throws: `RemoteError.tooMuch` if a total exceeds its bound.
    mutating func take(_ page: [String]) throws(RemoteError) {
        ids += page.count
        bytes += page.reduce(0) { $0 + $1.utf8.count }
        guard ids <= idsMax, bytes <= bytesMax else {
            throw .tooMuch(reason: "a list has more than \(idsMax) ids, or \(bytesMax) bytes of them")
        }
    }
}

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
