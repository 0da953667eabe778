import GRDB
import ParseModel
import StoreService
import SyncModel

/// Carries out decisions about conflicts, rejections, pending changes and removals. A decision about a conflict or a
/// change acts as the author of the change: the user who made it, or the gateway. A decision about a removal acts as
/// the author of the principal who decides.
struct Decisions {
    let transaction: StoreTransaction

    private var db: Database { transaction.db }
    private var rights: DecisionRights { DecisionRights(transaction: transaction) }

    /// Decides an open conflict.
    /// - Parameters:
    ///   - keep: the decision: `local`, `remote` or `merge`. For a change of unknown outcome: `applied` (the remote has
    ///     applied the change) or `sendAgain`. Nil to set `fields` over the remote's state.
    ///   - fields: values to set in addition; nil for none.
    ///   - match: the tags with which the conflict may be decided; nil for any state.
    func resolveConflict(_ id: Int64, keep: String?, fields: JSONObject?, _ match: TagMatch?) throws {
        guard keep != nil || fields != nil else {
            throw ParseError(.invalidQuery, "a conflict is decided by what to keep, by an object, or by both")
        }
        guard let found = try ConflictTable(db: db).object(of: id), var object = try load(found.pointer) else {
            throw StoreError.notFound(what: "open conflict \(id)")
        }
        let correction = try correction(fields, of: object.life.className)
        do {
            let author = object.life.authorInQuestion ?? found.author
            guard mayDecide(about: author), try rights.mayDecide(about: object) else {
                throw StoreError.notFound(what: "open conflict \(id)")
            }
            try check(match) { try ConflictTable(db: db).tag(of: id) }
            if let sent = Self.sent(by: keep, correction, object.life) {
                try rights.check(sent, of: object, correction: correction)
            }
            try transaction.acting(as: author).receive(.decided(keep: keep, correction), &object)
        } catch LifeError.noConflict {
            throw StoreError.notFound(what: "open conflict \(id)")
        } catch LifeError.unknownObject(let objectId) {
            throw ParseError(.objectNotFound, "no object \(objectId) of \(object.life.className) is known here")
        }
        try check(correction, making: object)
    }

    /// The kind of request that a decision about the open conflict sends to the remote; nil if it sends none.
    private static func sent(
        by keep: String?, _ correction: Correction?, _ object: ObjectLife
    ) -> DecisionRights.Sent? {
        let hasCorrection = correction?.operations.isEmpty == false
        switch (object.conflict?.kind, keep) {
        case (nil, _): return nil
        case (_, "remote"), (_, "applied"), (.ambiguousCreate, nil): return hasCorrection ? .update : nil
        case (.deletedLocally, "local"): return .delete
        case (.deletedRemotely, _), (.ambiguousCreate, _): return .create
        default: return .update
        }
    }

    /// Converts the fields of a decision to operations.
    /// - Parameter fields: values in the form that clients read. `createdAt`, `updatedAt` and `_sync` are ignored.
    /// - Returns: nil if `fields` is nil.
    private func correction(_ fields: JSONObject?, of className: String) throws -> Correction? {
        guard let fields else { return nil }
        var values = fields
        values.removeAll { ["objectId", "createdAt", "updatedAt", "_sync"].contains($0) }
        let names = PresentNames(transaction: transaction)
        return Correction(
            operations: try names.resolve(
                FieldOperations(body: values, className: className).replacingFieldFiles(\.withoutForeignScheme),
                of: className),
            nulls: Set(values.filter(\.value.isNull).map(\.key)), objectId: fields["objectId"]?.string)
    }

    /// Sends a rejected change again.
    /// - Parameter fields: values to set over the refused values; nil to send the same change again.
    func retryRejection(_ seq: Int64, fields: JSONObject?, _ match: TagMatch?) throws {
        let (object, author) = try object(of: seq, "rejection", match)
        let correction = try correction(fields, of: object.life.className)
        let kind = object.life.steps.first { $0.seq == seq }?.step.kind
        try rights.check(
            kind == .delete ? .delete : object.life.base == nil ? .create : .update, of: object, correction: correction)
        let decided = try decide(.retried(seq: seq, correction), object, as: author, "rejection \(seq)")
        try check(correction, making: decided)
    }

    /// Checks the values of a correction.
    /// - Throws: the remote's `ParseError` for a value that it cannot store.
    private func check(_ correction: Correction?, making object: LocalObject) throws {
        guard let correction, let fields = object.life.view?.fields else { return }
        try ValueCheck(transaction: transaction).check(
            correction.operations, making: fields, of: object.life.className)
    }

    /// Discards a rejected change. Clients then see the object without the change.
    func giveUpRejection(_ seq: Int64, _ match: TagMatch?) throws {
        let (object, author) = try object(of: seq, "rejection", match)
        try decide(.givenUp(seq: seq), object, as: author, "rejection \(seq)")
    }

    /// Discards a change that was never sent.
    func undoPending(_ seq: Int64, _ match: TagMatch?) throws {
        let (object, author) = try object(of: seq, "pending change", match)
        try decide(.undone(seq: seq), object, as: author, "pending change \(seq)")
    }

    /// Applies a decision to an object, on behalf of an author.
    /// - Parameter what: names the rejection or pending change in errors.
    /// - Returns: the object after the decision.
    @discardableResult
    private func decide(
        _ event: LifeEvent, _ object: LocalObject, as author: AuthorKey, _ what: String
    ) throws -> LocalObject {
        var object = object
        do {
            try transaction.acting(as: author).receive(event, &object)
        } catch LifeError.noSuchStep {
            throw StoreError.notFound(what: what)
        } catch LifeError.alreadySent {
            throw StoreError.notPossible(
                reason: "the change has been sent already, or is part of a conflict or rejection")
        }
        return object
    }

    /// The object of a change in the outbox, and the author that sends the change.
    private func object(
        of seq: Int64, _ what: String, _ match: TagMatch?
    ) throws -> (object: LocalObject, author: AuthorKey) {
        guard let found = try OutboxTable(db: db).object(of: seq), let object = try load(found.pointer),
            mayDecide(about: found.author), try rights.mayDecide(about: object)
        else { throw StoreError.notFound(what: "\(what) \(seq)") }
        try check(match) { try OutboxTable(db: db).tag(of: seq) }
        return (object, found.author)
    }

    /// - Throws: `StoreError.entryChanged` if the entry's tag is not one of the tags of a condition.
    private func check(_ match: TagMatch?, _ tag: () throws -> String?) throws {
        guard case .tags(let tags) = match else { return }
        guard let tag = try tag(), tags.contains(tag) else { throw StoreError.entryChanged }
    }

    private func mayDecide(about author: AuthorKey) -> Bool {
        transaction.authorship.allowsDeciding(about: author, transaction.principal, as: transaction.author)
    }

    private func load(_ pointer: Pointer) throws -> LocalObject? {
        try LocalObject(pointer.className, pointer.objectId, in: db)
    }

    // MARK: Removals

    /// Decides for the remote's state. Objects that the remote lacks are removed here, too, and objects that the remote
    /// has in an earlier state return to this state. An object with pending changes can get a conflict, depending on
    /// the class's policy.
    func confirmRemoval(_ id: Int64) throws {
        let (className, held) = try takeRemoval(id)
        for item in held {
            guard let object = try LocalObject(className, item.objectId, in: db) else { continue }
            if let latest = item.latest {
                var page = try PulledPage(of: className, in: transaction)
                _ = try page.apply([.upsert(latest)])
            } else {
                // A local deletion is sent all the same: a later sync may show the object again.
                let isDeletedHere = object.life.endsInDelete && object.life.state != .conflict
                try transaction.receive(isDeletedHere ? .absenceConfirmed : .absent, className, item.objectId)
            }
        }
        try PullTable(db: db, author: transaction.author).expectReturn(in: className)
    }

    /// Decides for the local state. Objects that the remote lacks are created again on the remote, and objects that the
    /// remote has in an earlier state are set to the local state.
    func keepRemoval(_ id: Int64) throws {
        let (className, held) = try takeRemoval(id)
        for item in held {
            let event =
                item.latest.map { LifeEvent.setAgain(latest: $0, ancestor: item.ancestor ?? $0) } ?? .createdAgain
            try transaction.receive(event, className, item.objectId)
        }
    }

    private func takeRemoval(_ id: Int64) throws -> (className: String, held: [LostObjects.Held]) {
        try transaction.authorship.checkDecidingRemovals(transaction.principal)
        let (className, held) = try RemovalTable(db: db).take(id)
        try LostObjects(db: db).release(held.map(\.objectId), of: className)
        return (className, held)
    }
}
