import ParseModel
import StoreService

/// Lists pending changes, rejections, conflicts and held removals (removals that wait for a decision), and carries out
/// the decisions about them.
struct LocalDecisions: DecisionStore {
    let transactions: Transactions
    let reads: ObjectReads

    func pendingChanges(after: Int64?, as principal: Principal) throws -> [PendingChange] {
        try VisibleChanges(of: reads, principal).list(after: after) { try $0.waitingChanges(for: $1, after: $2) }
    }

    /// The sent changes of unknown outcome with an open conflict, which asks the user whether the remote has applied
    /// them.
    func changesInQuestion(after: Int64?, as principal: Principal) throws -> [PendingChange] {
        try VisibleChanges(of: reads, principal).list(after: after) { try $0.changesInQuestion(for: $1, after: $2) }
    }

    func rejections(after: Int64?, as principal: Principal) throws -> [PendingChange] {
        try VisibleChanges(of: reads, principal).list(after: after) { try $0.rejections(for: $1, after: $2) }
    }

    func conflicts(resolved: Bool, after: Int64?, as principal: Principal) throws -> [ListedConflict] {
        try transactions.readOnce {
            try ConflictTable(db: $0).list(
                resolved: resolved, after: after, for: transactions.authorship.lister(of: principal, in: $0))
        }.map { conflict in
            guard transactions.access.restricts(principal) else { return conflict }
            return conflict.shown(by: try transactions.rules(of: conflict.className, as: principal))
        }
    }

    func removals(as principal: Principal) throws -> [HeldRemoval] {
        try transactions.readOnce {
            try RemovalTable(db: $0).all(for: transactions.authorship.lister(of: principal, in: $0))
        }
    }

    func oldChanges(madeBy date: ParseDate, as principal: Principal) throws -> OldChanges {
        let all = try transactions.read { db in
            try WaitingChanges(db: db).changes(madeBy: date, for: transactions.authorship.lister(of: principal, in: db))
        }
        guard !all.isEmpty else { return .none }
        let shown = try VisibleChanges(of: reads, principal).filter(all)
        let first = try transactions.read { db in
            try shown.prefix(WaitingChange.listMax).map { try WaitingChanges(db: db).withObstacles($0) }
        }
        return OldChanges(count: shown.count, first: first)
    }

    // MARK: Decisions

    func undoPending(_ id: Int64, match: TagMatch?, as principal: Principal) async throws {
        try await transactions.write(as: principal) { try Decisions(transaction: $0).undoPending(id, match) }
    }

    func retryRejection(
        _ id: Int64, fields: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws {
        try await transactions.write(as: principal) {
            try Decisions(transaction: $0).retryRejection(id, fields: fields, match)
        }
    }

    func giveUpRejection(_ id: Int64, match: TagMatch?, as principal: Principal) async throws {
        try await transactions.write(as: principal) { try Decisions(transaction: $0).giveUpRejection(id, match) }
    }

    func resolveConflict(
        _ id: Int64, keep: String?, fields: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws {
        try await transactions.write(as: principal) {
            try Decisions(transaction: $0).resolveConflict(id, keep: keep, fields: fields, match)
        }
    }

    func confirmRemoval(_ id: Int64, as principal: Principal) async throws {
        try await transactions.write(as: principal) { try Decisions(transaction: $0).confirmRemoval(id) }
    }

    func keepRemoval(_ id: Int64, as principal: Principal) async throws {
        try await transactions.write(as: principal) { try Decisions(transaction: $0).keepRemoval(id) }
    }

    // MARK: Clients that wait for the remote

    func remains(of write: AwaitedWrite, by principal: Principal) throws -> WriteRemains {
        try transactions.read { db in
            let id = try Aliases(db: db).id(of: write.className, write.objectId)
            let author = try transactions.authorship.knownKey(of: principal, in: db)
            let object = try LocalObject(write.className, id, in: db)
            let own = (object?.life.steps ?? []).filter { pending in
                let step = pending.step
                return step.author == author && !step.isSentOnce
                    // A create that restores a deleted object contains all earlier writes.
                    && (step.madeAt <= write.writtenAt || step.isDeferredUpdate || step.isRecreate)
            }
            guard !own.isEmpty, let object else {
                let pointer = Pointer(className: write.className, objectId: id)
                let overruling = try author.flatMap {
                    try ConflictTable(db: db).overruling(write.fields, of: pointer, by: $0, since: write.writtenAt)
                }
                return overruling.map(WriteRemains.overruled) ?? .nothing(isOnRemote: object?.life.base != nil)
            }
            if let refused = own.first(where: { $0.step.phase == .rejected }), let seq = refused.seq {
                return .rejected(
                    id: seq, code: refused.code ?? ParseError.Code.internalServerError.rawValue,
                    message: refused.error ?? "The remote refused the change.")
            }
            let isHeld = own.contains { $0.step.phase == .held }
            if isHeld, let conflict = try ConflictTable(db: db).openId(of: object.life.pointer) {
                return .inConflict(id: conflict)
            }
            return .waiting
        }
    }

    // MARK: Before forwarded requests

    /// The sequence number of the newest change in the outbox; 0 for an empty outbox.
    func latestWrite() throws -> Int64 { try transactions.readOnce { try OutboxTable(db: $0).latest() } }

    func callersQueue(
        upTo number: Int64, naming things: NamedThings, by principal: Principal
    ) throws -> CallersQueue {
        try transactions.readOnce {
            try CallersQueue(
                upTo: number, naming: things, of: transactions.authorship.ownLister(of: principal, in: $0), in: $0)
        }
    }
}
