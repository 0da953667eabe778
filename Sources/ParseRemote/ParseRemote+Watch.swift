import ParseModel
import RemoteService
import SyncModel

/// The first pages of pulls, with the queries of the watch in the same batch.
extension ParseRemote {
    package var answersWatch: Bool { true }

    /// Requests the pages and counts of all classes in as few batches as possible. A class needs a second round trip if the first
    /// round trip only shows that all rows of one millisecond have been listed (see `KeysetPosition`).
    package func firstPages(
        _ pulls: [PullRequest], watching queries: [WatchQuery]
    ) async throws(RemoteError) -> FirstPages {
        var plans = pulls.map { PullPlan($0, limit: configuration.pageSize) }
        var pages: [Int: Result<PullPage, RemoteError>] = [:]
        var answers: [WatchAnswer] = []
        var open = Array(plans.indices)
        while !open.isEmpty {
            let watched = answers.isEmpty ? queries : []
            var replies = try await listWithSchemas(open.flatMap { plans[$0].queries } + watched.map(\.list))[...]
            for i in open {
                let count = plans[i].queries.count
                do throws(RemoteError) {
                    try plans[i].take(replies.prefix(count))
                    pages[i] = plans[i].page.map { .success($0) }
                } catch {
                    pages[i] = .failure(error)
                }
                replies = replies.dropFirst(count)
            }
            answers += zip(watched, replies).map { query, reply in query.answer(reply) }
            open.removeAll { pages[$0] != nil }
        }
        return FirstPages(pages: plans.indices.compactMap { pages[$0] }, answers: answers)
    }
}

extension WatchQuery {
    /// The maximum number of roles of a user that are compared.
    private static let rolesMax = 1000

    fileprivate var list: ListQuery {
        let among = { (ids: [String]) -> JSONObject in ["objectId": ["$in": .array(ids.map(JSONValue.string))]] }
        switch self {
        case .roles(let userId):
            let user = Pointer(className: "_User", objectId: userId)
            return ListQuery(
                className: "_Role", conditions: ["users": user.json], order: "objectId", keys: "name",
                limit: Self.rolesMax)
        case .stamps(let className, let ids):
            return ListQuery(className: className, conditions: among(ids), keys: "objectId", limit: ids.count)
        case .rows(let className, let ids):
            return ListQuery(className: className, conditions: among(ids), limit: ids.count)
        }
    }

    fileprivate func answer(_ reply: ListReply) -> WatchAnswer {
        do throws(RemoteError) {
            switch self {
            case .roles:
                let roles = try reply.records().map { ($0.objectId, $0.fields["name"]?.string ?? "") }
                return .roles(Dictionary(roles, uniquingKeysWith: { $1 }))
            case .stamps: return .stamps(try reply.stamps())
            case .rows: return .rows(try reply.records())
            }
        } catch {
            return .none
        }
    }
}
