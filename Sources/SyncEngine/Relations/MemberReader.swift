import ParseModel
import RemoteService
import SyncModel

/// Reads the members of relations object by object, and stores them.
struct MemberReader {
    private let context: SyncContext
    private let service: any RemoteRelationService

    init(_ context: SyncContext, _ service: any RemoteRelationService) {
        self.context = context
        self.service = service
    }

    func read(_ relations: [RelationPull]) async throws(SyncError) {
        // The stored time precedes the read, so that relations that change during the read are read again.
        let serverTime = try await context.remote.serverNow()
        var members: [BaseMembers] = []
        var failed: [RelationPull] = []
        do {
            members = try await lists(of: relations)
        } catch {
            guard error.isOfOneClass else { throw error }
            // Reads the relations one by one, so that an unreadable relation does not block the others.
            for relation in relations {
                do {
                    members += try await lists(of: [relation])
                } catch {
                    guard error.isOfOneClass else { throw error }
                    warn(error, relation)
                    failed.append(relation)
                }
            }
        }
        let (taken, postponed, overlap) = (members, failed, context.options.overlap)
        try await context.store { try await $0.setBaseMembers(taken, at: serverTime, overlap: overlap) }
        try await context.store { try await $0.postponeRelations(postponed, at: serverTime) }
    }

    private func warn(_ error: SyncError, _ relation: RelationPull) {
        if case .unusable(_, isTooMuch: true) = error {
            context.reporter.warn(
                "The relation \(relation.field) of \(relation.owner.className)/\(relation.owner.objectId) was "
                    + "skipped and may be outdated: \(error.message)")
        } else {
            context.reporter.warn("Relations of \(relation.owner.className) cannot be pulled: \(error.message)")
        }
    }

    /// Reads the members of each relation. Reads relations without members a second time, after a test whether the
    /// remote shows objects that surely exist.
    private func lists(of relations: [RelationPull]) async throws(SyncError) -> [BaseMembers] {
        var lists = try await ask(relations)
        let empty = lists.indices.filter { lists[$0].isEmpty }
        if let first = empty.first {
            try await ObjectLookup(context).requireCanaries(of: relations[first].memberClass)
            let again = try await ask(empty.map { relations[$0] })
            for (index, list) in zip(empty, again) { lists[index] = list }
        }
        return zip(relations, lists).map { BaseMembers($0, memberIds: $1) }
    }

    private func ask(_ relations: [RelationPull]) async throws(SyncError) -> [[String]] {
        try await context.remote.ask { _ throws(RemoteError) in try await service.members(of: relations) }
    }
}

extension BaseMembers {
    init(_ relation: RelationPull, memberIds: [String]) {
        self.init(
            owner: relation.owner, field: relation.field, memberClass: relation.memberClass, memberIds: memberIds)
    }
}
