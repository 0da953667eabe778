import ParseModel
import RemoteService

/// Reads `GET /changes`, the change feed of another Tidegate gateway. A Parse Server has no such route.
struct ParseChangeFeed: RemoteDeletionFeed {
    let exchange: ParseExchange

    /// The number of entries in one page, and the maximum number of pages. If there are more entries, comparing ids is
    /// faster.
    private static let (feedPage, feedPagesMax) = (1000, 20)

    /// The position of the newest change.
    /// - Returns: nil if the server has no change feed.
    func newestPosition() async throws(RemoteError) -> String? {
        try await feedPage([("since", "latest")])?.next
    }

    func deletions(
        in className: String, since position: String?
    ) async throws(RemoteError) -> RemoteDeletions? {
        guard let position else {
            return try await feedPage(of: className, since: "latest").map {
                RemoteDeletions(objectIds: [], next: $0.next)
            }
        }
        var found: Set<String> = []
        var next = position
        for _ in 1...Self.feedPagesMax {
            guard let page = try await feedPage(of: className, since: next) else { return nil }
            found.formUnion(page.objectIds)
            // A page may be short or empty before the end of the feed. The feed ends at a page that does not advance.
            if page.next == next { break }
            next = page.next
        }
        return RemoteDeletions(objectIds: found, next: next)
    }

    /// Requests one page of the deletions of a class.
    /// - Returns: nil if the server refuses the request or its answer is not a page of a change feed.
    private func feedPage(
        of className: String, since position: String
    ) async throws(RemoteError) -> (objectIds: [String], next: String)? {
        try await feedPage([
            ("since", position), ("classes", className), ("kinds", "delete"), ("limit", String(Self.feedPage)),
        ])
    }

    private func feedPage(
        _ parameters: [(name: String, value: String)]
    ) async throws(RemoteError) -> (objectIds: [String], next: String)? {
        do {
            let response = try await exchange.response(to: exchange.requests.changes(parameters))
            let answer = try exchange.reader.read(response).orRemoteError().object
            guard let entries = answer?["results"]?.array, let next = answer?["next"].flatMap(Self.text(ofPosition:))
            else { return nil }
            return (entries.compactMap { $0.object?["objectId"]?.string }, next)
        } catch {
            switch error {
            case .refused, .unauthorized, .misaddressed: return nil
            case .faulty(let status, _) where status < 500: return nil
            default: throw error
            }
        }
    }

    /// The text of a position, which the feed sends as a text or as a whole number.
    private static func text(ofPosition position: JSONValue) -> String? {
        position.string ?? position.int.map(String.init)
    }
}
