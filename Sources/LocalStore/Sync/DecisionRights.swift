import ParseModel
import StoreService
import SyncModel

/// Checks whether a principal may decide about a change. If the decision sends values to the remote, the principal
/// needs the right to write them. Otherwise a user could, by a decision, make changes that the remote has refused to
/// this user.
struct DecisionRights {
    let transaction: StoreTransaction

    /// The kind of request that a decision sends.
    enum Sent {
        case create, update, delete

        fileprivate func request(_ object: LocalObject, _ body: JSONObject) -> WriteRequest {
            let (className, id) = (object.life.className, object.life.objectId)
            return switch self {
            case .create: .create(className: className, body: body)
            case .update: .update(className: className, objectId: id, body: body)
            case .delete: .delete(className: className, objectId: id)
            }
        }
    }

    /// Whether the principal may decide about a change of an object. All clients without a session are one author, so
    /// such a client needs the right to write the object. Always true for users.
    func mayDecide(about object: LocalObject) throws -> Bool {
        let principal = transaction.principal
        guard transaction.access.restricts(principal), principal.user == nil else { return true }
        let request = Sent.update.request(object, [:])
        let access = try WriteAccess(of: request, transaction.rules(of: request.className), isEnforced: true)
        return (object.life.rightsState ?? object.life.base).map(access.allowsWriting) ?? true
    }

    /// Checks a decision that sends a change of an object.
    /// - Parameters:
    ///   - object: the object before the decision.
    ///   - correction: the values that the decision sets; nil for none.
    /// - Throws: `ParseError`: the error of the same write, or 119 (operation forbidden) for a correction of a sign-in
    ///   field.
    func check(_ sent: Sent, of object: LocalObject, correction: Correction?) throws {
        if let correction { try checkAccount(correction, object.life) }
        guard transaction.access.isEnforced, !transaction.principal.writesEverything else { return }
        let body = correction?.operations.json ?? [:]
        let access = try WriteAccess(
            of: sent.request(object, body), transaction.rules(of: object.life.className), isEnforced: true)
        let state = object.life.rightsState ?? object.life.base
        if sent.needsObject, let state {
            guard access.allowsWriting(state) else { throw access.refusal(of: object.life.objectId, state) }
        }
        guard let correction else { return }
        let written = try WriteBody(body, className: object.life.className, creates: !sent.needsObject)
        _ = try SchemaCheck(transaction, read: { try ClassSchema(inReplica: $0, in: transaction.db) }).check(
            correction.operations, of: written, className: object.life.className, creates: false
        ) {
            try access.checkAddingFields(to: sent.needsObject ? state.map { (object.life.objectId, $0) } : nil)
        }
        if object.life.className == "_Role", let before = object.life.view?.fields {
            let after = try correction.operations.apply(to: before, className: "_Role")
            if sent.needsObject {
                try RoleRules.checkKept(written)
                try RoleRules.checkUpdate(from: before, to: after)
            } else if after["name"] != before["name"] {
                try RoleRules(db: transaction.db).checkCreate(after)
            }
        }
    }

    /// Checks that a correction of a user changes no sign-in field, such as the username or the e-mail address. Changes
    /// of these fields are sent to the remote at once, and are never in the outbox.
    private func checkAccount(_ correction: Correction, _ object: ObjectLife) throws {
        guard object.className == "_User" else { return }
        for field in correction.operations.fields {
            let name = String(field.prefix { $0 != "." })
            guard AccountFields.names.contains(name) else { continue }
            if case .set(let value)? = correction.operations[field], object.view?.fields[field] == value { continue }
            throw ParseError(
                .operationForbidden, "A correction cannot change \(name) of a user: change the user with PUT instead.")
        }
    }
}

extension DecisionRights.Sent {
    fileprivate var needsObject: Bool { self != .create }
}
