import GRDB
import ParseModel
import StoreService

/// The lists of pending changes, rejections, conflicts and held removals, and the decisions about them.
extension LocalStore {
    package func pendingChanges(as principal: Principal) throws -> [PendingChange] {
        try changes(for: principal) { try $0.waitingChanges(for: $1) }
    }

    /// Changes that were sent, and that are in an open conflict about their outcome.
    package func changesInQuestion(as principal: Principal) throws -> [PendingChange] {
        try changes(for: principal) { try $0.changesInQuestion(for: $1) }
    }

    package func rejections(as principal: Principal) throws -> [PendingChange] {
        try changes(for: principal) { try $0.rejections(for: $1) }
    }

    package func conflicts(resolved: Bool, as principal: Principal) throws -> [ListedConflict] {
        let listed = try readOnce { db in
            try ConflictTable(db: db).list(resolved: resolved, for: try lister(principal, db))
        }
        return try listed.map { conflict in
            var conflict = conflict
            conflict.base = try shown(conflict.base, of: conflict.className, to: principal)
            conflict.remote = try shown(conflict.remote, of: conflict.className, to: principal)
            return conflict
        }
    }

    private func changes(
        for principal: Principal, _ list: (OutboxTable, DecisionLister) throws -> [PendingChange]
    ) throws -> [PendingChange] {
        try readOnce { try list(OutboxTable(db: $0), try lister(principal, $0)) }
    }

    private func lister(_ principal: Principal, _ db: Database) throws -> DecisionLister {
        try configuration.isSite ? DecisionLister(principal, in: db) : .all
    }

    /// A state of an object as the principal may read it; nil if the principal may not read it.
    private func shown(_ text: String?, of className: String, to principal: Principal) throws -> String? {
        guard let text, access.restricts(principal), let user = principal.user,
            let object = try? JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object
        else { return text }
        guard AccessControlList(object["ACL"])?.allowsReading(by: principal) != false else { return nil }
        let hidden = try rules(of: className, as: .user(user))
            .hiddenFields(in: object["objectId"]?.string ?? "") { object }
        return hidden.isEmpty ? text : JSONObject(object.filter { !hidden.contains($0.key) }).jsonText
    }

    package func removals(as principal: Principal) throws -> [HeldRemoval] {
        try readOnce { try RemovalTable(db: $0).all() }
    }

    // MARK: Decisions

    package func undoPending(_ id: Int64, as principal: Principal) async throws {
        try await write(as: principal) { try Decisions(transaction: $0).undoPending(id) }
    }

    package func retryRejection(_ id: Int64, fields: JSONObject?, as principal: Principal) async throws {
        try await write(as: principal) { try Decisions(transaction: $0).retryRejection(id, fields: fields) }
    }

    package func giveUpRejection(_ id: Int64, as principal: Principal) async throws {
        try await write(as: principal) { try Decisions(transaction: $0).giveUpRejection(id) }
    }

    package func resolveConflict(
        _ id: Int64, keep: String?, fields: JSONObject?, as principal: Principal
    ) async throws {
        try await write(as: principal) {
            try Decisions(transaction: $0).resolveConflict(id, keep: keep, fields: fields)
        }
    }

    package func confirmRemoval(_ id: Int64, as principal: Principal) async throws {
        try await write(as: principal) { try Decisions(transaction: $0).confirmRemoval(id) }
    }

    package func keepRemoval(_ id: Int64, as principal: Principal) async throws {
        try await write(as: principal) { try Decisions(transaction: $0).keepRemoval(id) }
    }
}
