import ParseModel
import RemoteService
import SyncModel

/// Lists the members and the owners of relations. An owner is an object whose relation has a given member.
struct ParseRelations: RemoteRelationService {
    let exchange: ParseExchange

    /// The ids of the members of each relation. The first pages of all relations are requested together, then the next pages of
    /// the relations with more members.
    func members(of relations: [RelationPull]) async throws(RemoteError) -> [[String]] {
        do {
            return try await members(of: relations, isCounted: true)
        } catch .refused {
            // The server may only forbid counting, so the members are read again without a count.
            return try await members(of: relations, isCounted: false)
        }
    }

    /// Lists the members of each relation, page by page.
    /// - Parameter isCounted: whether to request with each page the number of members from there on. The list of a
    ///   relation ends when no member is left or, without the number, at an empty page. Members can join between two
    ///   pages, so the number of an earlier page is not used.
    private func members(
        of relations: [RelationPull], isCounted: Bool
    ) async throws(RemoteError) -> [[String]] {
        var lists = relations.map { _ in [String]() }
        var left: [Int?] = relations.map { _ in nil }
        var open = Array(relations.indices)
        var bounds = exchange.configuration.listBounds
        while !open.isEmpty {
            let pages = try await exchange.halving { limit async throws(RemoteError) -> [(ListReply, [ObjectStamp])] in
                let queries = open.map {
                    query(for: relations[$0], after: lists[$0].last, limit: limit, isCounted: isCounted)
                }
                var pages: [(ListReply, [ObjectStamp])] = []
                for reply in try await exchange.list(queries) { pages.append((reply, try reply.stamps())) }
                return pages
            }
            var following: [Int] = []
            for (index, (reply, stamps)) in zip(open, pages) {
                let ids = stamps.map(\.objectId)
                try bounds.take(ids)
                let count = reply.query.wantsCount ? try reply.countIfAllowed() : nil
                guard Set(ids).isDisjoint(with: lists[index]) else {
                    throw .faulty(status: 200, reason: "the list of members does not advance")
                }
                lists[index] += ids
                if ids.isEmpty {
                    let missing = max(left[index] ?? 0, count ?? 0)
                    guard missing <= 0 else {
                        throw .faulty(status: 200, reason: "a list of members ends although \(missing) are left")
                    }
                } else {
                    left[index] = count.map { $0 - ids.count }
                    if left[index] != 0 { following.append(index) }
                }
            }
            open = following
        }
        return lists
    }

    private func query(
        for relation: RelationPull, after last: String?, limit: Int, isCounted: Bool
    ) -> ListQuery {
        var conditions: JSONObject = ["$relatedTo": ["object": relation.owner.json, "key": .string(relation.field)]]
        conditions["objectId"] = last.map { ["$gt": .string($0)] }
        return ListQuery(
            className: relation.memberClass, conditions: conditions, order: "objectId", keys: "objectId",
            limit: limit, wantsCount: isCounted)
    }

    /// Requests one page of owners (objects whose relation has a given member) for each request, in batches. If an
    /// answer is too large, halves the page size.
    func owners(_ requests: [OwnersRequest]) async throws(RemoteError) -> [OwnersPage] {
        try await exchange.halving { limit async throws(RemoteError) -> [OwnersPage] in
            do throws(RemoteError) {
                return try await owners(requests, limit: limit, isCounted: true)
            } catch .refused {
                return try await owners(requests, limit: limit, isCounted: false)
            }
        }
    }

    private func owners(
        _ requests: [OwnersRequest], limit: Int, isCounted: Bool
    ) async throws(RemoteError) -> [OwnersPage] {
        let queries = requests.map { request in
            let members = request.memberIds.map { id in
                Pointer(className: request.column.memberClass, objectId: id).json
            }
            let hasMember: JSONValue = members.count == 1 ? members[0] : ["$in": .array(members)]
            var conditions: JSONObject = [request.column.field: hasMember]
            conditions["objectId"] = request.after.map { ["$gt": .string($0)] }
            return ListQuery(
                className: request.column.className, conditions: conditions, order: "objectId", keys: "objectId",
                limit: limit, wantsCount: isCounted)
        }
        var pages: [OwnersPage] = []
        for (request, reply) in zip(requests, try await exchange.list(queries)) {
            let ids = try reply.stamps().map(\.objectId)
            if let last = request.after, ids.contains(last) {
                throw .faulty(status: 200, reason: "the list of owners does not advance")
            }
            pages.append(
                OwnersPage(ownerIds: ids, count: reply.query.wantsCount ? try reply.countIfAllowed() : nil))
        }
        return pages
    }
}
