import RemoteService

/// How much the lists of ids that belong to one question may hold. They come page by page, and lists that go on for ever
/// must not fill the memory. Pure.
struct ListBounds: Sendable {
    let idsMax: Int
    let bytesMax: Int
    private var ids = 0
    private var bytes = 0

    init(idsMax: Int = 10_000_000, bytesMax: Int = 256 << 20) {
        self.idsMax = idsMax
        self.bytesMax = bytesMax
    }

    /// - Parameter page: the ids of another page.
    /// - Throws: `RemoteError.tooMuch`.
    mutating func take(_ page: [String]) throws(RemoteError) {
        ids += page.count
        bytes += page.reduce(0) { $0 + $1.utf8.count }
        guard ids <= idsMax, bytes <= bytesMax else {
            throw .tooMuch(reason: "a list has more than \(idsMax) ids, or \(bytesMax) bytes of them")
        }
    }
}

extension ParseRemote {
    /// Asks for a page, and for one of half as many rows as long as it is more than is taken in.
    /// - Parameter ask: gets how many rows are asked for at most.
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
