import ParseModel
import RemoteService

/// Relations: a row tells only that there is one. The members of those whose row is news are read by themselves.
extension SyncRun {
    mutating func pullRelations() async throws(SyncError) {
        guard let first = classes.values.first(where: \.isPulled) else { return }
        let limit = remote.capabilities.batchMax
        var done = 0
        let begin = try await serverNow(askingAbout: first.name)
        while true {
            let relations = try await stored { try await $0.relationsToPull(limit: limit, before: begin) }
            guard !relations.isEmpty else { return }
            report(SyncProgress(phase: .relations, className: relations[0].owner.className, done: done, total: nil))
            // What changes while it is read is read again.
            let serverTime = try await serverNow(askingAbout: first.name)
            let lists: [[String]]
            do {
                lists = try await asked { remote throws(RemoteError) in try await remote.members(of: relations) }
            } catch {
                guard error.isOfOneClass else { throw error }
                warn(
                    "Relations of \(relations[0].owner.className) cannot be pulled: \(error.message)")
                return
            }
            let members = zip(relations, lists).map {
                BaseMembers(owner: $0.owner, field: $0.field, memberClass: $0.memberClass, memberIds: $1)
            }
            let overlap = options.overlap
            try await stored { try await $0.setBaseMembers(members, at: serverTime, overlap: overlap) }
            done += relations.count
        }
    }
}
