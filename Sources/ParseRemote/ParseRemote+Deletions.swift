import ParseModel
import RemoteService

/// Reads deletions from `GET /changes`, the change feed of a Tidegate. A Parse Server has no such route.
extension ParseRemote: RemoteDeletionFeed {
    /// The number of entries of one page, and the maximum number of pages. More deletions are found faster by comparing ids.
    private static let (feedPage, feedPagesMax) = (1000, 20)

    package func deletions(in className: String, since position: String?) async -> RemoteDeletions? {
        var found: Set<String> = []
        var next = position ?? "latest"
        for _ in 1...Self.feedPagesMax {
            guard let page = try? await feedPage(of: className, since: next) else { return nil }
            found.formUnion(page.objectIds)
            next = page.next
            if page.objectIds.count < Self.feedPage { break }
        }
        return RemoteDeletions(objectIds: found, next: next)
    }

    /// One page of the feed.
    /// - Returns: nil if the answer is not a page of a change feed.
    private func feedPage(
        of className: String, since position: String
    ) async throws(RemoteError) -> (objectIds: [String], next: String)? {
        let parameters = [
            ("since", position), ("classes", className), ("kinds", "delete"), ("limit", String(Self.feedPage)),
        ]
        let query = parameters.map { "\($0)=\(PercentCoding.encodedPathSegment($1))" }.joined(separator: "&")
        let answer = try reader.read(try await response(to: requests.get("/changes?" + query))).orRemoteError().object
        guard let entries = answer?["results"]?.array, let next = answer?["next"].flatMap(Self.text(ofPosition:)) else {
            return nil
        }
        return (entries.compactMap { $0.object?["objectId"]?.string }, next)
    }

    /// A position as the feed takes it: a text, or a whole number.
    private static func text(ofPosition position: JSONValue) -> String? {
        position.string ?? position.int.map(String.init)
    }
}
