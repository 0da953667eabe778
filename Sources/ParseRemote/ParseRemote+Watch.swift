import ParseModel
import RemoteService
import SyncModel

/// Reads the first pages of pulls, together with queries that check whether the server still shows known objects.
extension ParseRemote {
    package var answersWatch: Bool { true }

    /// Requests the pages and counts of all classes in as few batches as possible. A class needs a second round trip if the first
    /// round trip only shows that all rows of one millisecond have been listed (see `KeysetPosition`).
    package func firstPages(
        _ pulls: [PullRequest], watching queries: [WatchQuery]
    ) async throws(RemoteError) -> FirstPages {
        var plans = FirstPagePlans(pulls, limit: exchange.configuration.pageSize)
        var answers: [WatchAnswer] = []
        while !plans.areComplete {
            let (wanted, watched) = (plans.queries, answers.isEmpty ? queries : [])
            let replies = try await ParseSchemas(exchange: exchange).listWithSchemas(wanted + watched.map(\.list))
            plans.take(replies.prefix(wanted.count))
            answers += zip(watched, replies.dropFirst(wanted.count)).map { query, reply in query.answer(reply) }
        }
        return FirstPages(pages: plans.pages, answers: answers)
    }
}

/// Builds the first pages of several pulls, whose queries are sent together. Sends no requests itself.
private struct FirstPagePlans {
    private var plans: [PullPlan]
    private var results: [Int: Result<PullPage, RemoteError>] = [:]
    /// The indexes of the pulls whose page is not complete yet.
    private var open: [Int]

    init(_ pulls: [PullRequest], limit: Int) {
        plans = pulls.map { PullPlan($0, limit: limit) }
        open = Array(plans.indices)
    }

    var areComplete: Bool { open.isEmpty }
    var queries: [ListQuery] { open.flatMap { plans[$0].queries } }
    var pages: [Result<PullPage, RemoteError>] { plans.indices.compactMap { results[$0] } }

    /// - Parameter replies: the answers to `queries`.
    mutating func take(_ replies: ArraySlice<ListReply>) {
        var replies = replies
        for place in open {
            let count = plans[place].queries.count
            do throws(RemoteError) {
                try plans[place].take(replies.prefix(count))
                results[place] = plans[place].page.map { .success($0) }
            } catch {
                results[place] = .failure(error)
            }
            replies = replies.dropFirst(count)
        }
        open.removeAll { results[$0] != nil }
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
            return .failed(error)
        }
    }
}
