import ParseModel
import RemoteService

/// Relations: a row tells only that there is one. The members of those whose row is news are read by themselves.
extension SyncRun {
    mutating func pullRelations() async throws(SyncError) {
        guard classes.values.contains(where: \.isPulled) else { return }
        let limit = remote.capabilities.batchMax
        var done = 0
        let begin = try await serverNow()
        while true {
            let relations = try await stored { try await $0.relationsToPull(limit: limit, before: begin) }
            guard !relations.isEmpty else { return }
            report(SyncProgress(phase: .relations, className: relations[0].owner.className, done: done, total: nil))
            // What changes while it is read is read again.
            let serverTime = try await serverNow()
            var members: [BaseMembers] = []
            var refused: [RelationPull] = []
            do {
                members = try await read(relations)
            } catch {
                guard error.isOfOneClass else { throw error }
                // One that may not be read does not keep the others from it.
                for relation in relations {
                    do {
                        members += try await read([relation])
                    } catch {
                        guard error.isOfOneClass else { throw error }
                        warn("Relations of \(relation.owner.className) cannot be pulled: \(error.message)")
                        refused.append(relation)
                    }
                }
            }
            let (taken, postponed, overlap) = (members, refused, options.overlap)
            try await stored { try await $0.setBaseMembers(taken, at: serverTime, overlap: overlap) }
            try await stored { try await $0.postponeRelations(postponed, at: serverTime) }
            done += relations.count
        }
    }

    /// Lists that are empty are asked for once more, by a remote that shows what it had.
    private mutating func read(_ relations: [RelationPull]) async throws(SyncError) -> [BaseMembers] {
        var lists = try await askedForMembers(of: relations)
        let empty = lists.indices.filter { lists[$0].isEmpty }
        if let first = empty.first {
            try await requireWitnesses(of: relations[first].memberClass)
            let again = try await askedForMembers(of: empty.map { relations[$0] })
            for (index, list) in zip(empty, again) { lists[index] = list }
        }
        return zip(relations, lists).map {
            BaseMembers(owner: $0.owner, field: $0.field, memberClass: $0.memberClass, memberIds: $1)
        }
    }

    private mutating func askedForMembers(of relations: [RelationPull]) async throws(SyncError) -> [[String]] {
        try await asked { remote throws(RemoteError) in try await remote.members(of: relations) }
    }
}
