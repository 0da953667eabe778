import ParseModel
import StoreService

/// The lists of pending changes, rejections, conflicts and held removals, and the decisions about them.
extension LocalStore {
    package func pendingChanges(as principal: Principal) throws -> [PendingChange] {
        try VisibleChanges(self, principal).list { try $0.waitingChanges(for: $1) }
    }

    /// Changes that were sent, and that are in an open conflict about their outcome.
    package func changesInQuestion(as principal: Principal) throws -> [PendingChange] {
        try VisibleChanges(self, principal).list { try $0.changesInQuestion(for: $1) }
    }

    package func rejections(as principal: Principal) throws -> [PendingChange] {
        try VisibleChanges(self, principal).list { try $0.rejections(for: $1) }
    }

    package func conflicts(resolved: Bool, as principal: Principal) throws -> [ListedConflict] {
        try readOnce {
            try ConflictTable(db: $0).list(resolved: resolved, for: .init(principal, configuration, in: $0))
        }
        .map { access.restricts(principal) ? $0.shown(by: try rules(of: $0.className, as: principal)) : $0 }
    }

    package func removals(as principal: Principal) throws -> [HeldRemoval] {
        try readOnce { try RemovalTable(db: $0).all(for: .init(principal, configuration, in: $0)) }
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
