import GRDB
import ParseModel
import StoreService
import SyncModel

/// Decisions of a person about conflicts, rejections and pending changes.
extension StoreTransaction {
    /// - Parameters:
    ///   - keep: `local`, `remote` or `merge`; for a change that cannot be proven `applied` or `sendAgain`. Nil where the
    ///     fields are the answer: they are set over the remote's state.
    ///   - fields: values that are set on top of the decision.
    func resolveConflict(_ id: Int64, keep: String?, fields: JSONObject?) throws {
        guard keep != nil || fields != nil else {
            throw ParseError(.invalidQuery, "a conflict is decided by what to keep, by an object, or by both")
        }
        let row = try Row.fetchOne(
            db, sql: "SELECT class, object_id FROM conflicts WHERE id = ? AND resolution IS NULL", arguments: [id])
        guard let row, var object = try LocalObject(row[0], row[1], in: db) else {
            throw StoreError.notFound(what: "open conflict \(id)")
        }
        let correction = try correction(fields, of: object.life.className)
        do {
            try receive(.decided(keep: keep, correction), &object)
        } catch LifeError.noConflict {
            throw StoreError.notFound(what: "open conflict \(id)")
        } catch LifeError.unknownObject(let objectId) {
            throw ParseError(.objectNotFound, "no object \(objectId) of \(object.life.className) is known here")
        }
    }

    /// Values as they may have been read: with id and dates.
    /// - Returns: nil without values.
    private func correction(_ fields: JSONObject?, of className: String) throws -> Correction? {
        guard let fields else { return nil }
        var values = fields
        values.removeAll { ["objectId", "createdAt", "updatedAt", "_sync"].contains($0) }
        return Correction(
            operations: try resolve(FieldOperations(body: values, className: className)),
            nulls: Set(values.filter(\.value.isNull).map(\.key)), objectId: fields["objectId"]?.string)
    }

    /// - Parameter fields: values that are put over the refused ones; nil sends the same again.
    func retryRejection(_ seq: Int64, fields: JSONObject?) throws {
        var object = try object(with: seq, "rejection")
        let correction = try correction(fields, of: object.life.className)
        try answer(.retried(seq: seq, correction), &object, "rejection \(seq)")
    }

    /// Gives a rejection up. The view returns to the state without the change.
    func giveUpRejection(_ seq: Int64) throws {
        var object = try object(with: seq, "rejection")
        try answer(.givenUp(seq: seq), &object, "rejection \(seq)")
    }

    /// Takes a change back that was never sent.
    func undoPending(_ seq: Int64) throws {
        var object = try object(with: seq, "pending change")
        try answer(.undone(seq: seq), &object, "pending change \(seq)")
    }

    private func answer(_ event: LifeEvent, _ object: inout LocalObject, _ what: String) throws {
        do {
            try receive(event, &object)
        } catch LifeError.noSuchStep {
            throw StoreError.notFound(what: what)
        } catch LifeError.alreadySent {
            throw StoreError.notPossible(
                reason: "the change has been sent already, or is part of a conflict or rejection")
        }
    }

    private func object(with seq: Int64, _ what: String) throws -> LocalObject {
        let row = try Row.fetchOne(db, sql: "SELECT class, id FROM outbox WHERE seq = ?", arguments: [seq])
        guard let row, let object = try LocalObject(row[0], row[1], in: db) else {
            throw StoreError.notFound(what: "\(what) \(seq)")
        }
        return object
    }
}
