import ParseModel
import RemoteService

/// Reads deletions from `GET /changes`, the change feed of another Tidegate gateway. A Parse Server has no such route.
struct ParseChangeFeed: RemoteDeletionFeed {
    let exchange: ParseExchange

    /// The number of entries in one page, and the maximum number of pages. If there are more entries, comparing ids is
    /// faster.
    private static let (feedPage, feedPagesMax) = (1000, 20)

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

    /// Requests one page of the feed.
    /// - Returns: nil if the server refuses the request or its answer is not a page of a change feed.
    private func feedPage(
        of className: String, since position: String
    ) async throws(RemoteError) -> (objectIds: [String], next: String)? {
        let parameters = [
            ("since", position), ("classes", className), ("kinds", "delete"), ("limit", String(Self.feedPage)),
        ]
        let query = parameters.map { "\($0)=\(PercentCoding.encodedPathSegment($1))" }.joined(separator: "&")
        do {
            let response = try await exchange.response(to: exchange.requests.get("/changes?" + query))
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
