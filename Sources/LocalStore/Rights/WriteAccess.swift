import ParseModel
import StoreService
import SyncModel

/// The rights of a principal for one write, by the permissions of the class, the object's ACL and its pointers to
/// users. If the store does not enforce rights, only the built-in rules of special classes and the ACLs of other users'
/// `_User` rows apply.
///
/// As in Parse Server, a principal can write an object without being able to read it.
struct WriteAccess {
    let rules: AccessRules
    /// The error for a missing object, and for an object that the principal may not write.
    let notFound: ParseError
    /// Whether the store enforces ACLs and permissions for the principal.
    private let isBound: Bool
    /// Whether the object is the `_User` row of another user.
    private let isOfOtherUser: Bool
    /// A condition that objects must meet if the principal is to write them; nil for no condition.
    private let limit: Predicate?

    /// - Throws: the error for the write, if the principal may not make it on any object.
    init(of request: WriteRequest, _ rules: AccessRules, isEnforced: Bool) throws(ParseError) {
        self.rules = rules
        limit = try request.authorize(as: rules.principal, rules.rights)
        isBound = isEnforced && !rules.principal.writesEverything
        isOfOtherUser =
            !rules.principal.writesEverything && request.className == "_User"
            && request.objectId.map { !rules.isOwnUser($0) } ?? false
        notFound = isBound || isOfOtherUser ? Self.notFound(request) : .objectNotFound
    }

    private static func notFound(_ request: WriteRequest) -> ParseError {
        switch request {
        case .delete("_Session", _, _): ParseError(.objectNotFound, "Object not found for delete.")
        case .update("_User", _, _, _), .delete("_User", _, _): .insufficientAuth
        default: .objectNotFound
        }
    }

    /// The error for a write of an object that the principal may not write. Only a principal who may read the object learns that
    /// it exists.
    func refusal(of objectId: String, _ view: ObjectState) -> ParseError {
        allowsReading(objectId, view) ? notFound.denyingWrite : notFound
    }

    func allowsWriting(_ view: ObjectState) -> Bool {
        let acl = AccessControlList(view.fields["ACL"])
        guard isBound else { return !isOfOtherUser || acl?.mayAllowWriting(by: rules.principal) == true }
        return allowsWriting(by: acl) && limit?.holdsForPointers(view.fields, of: rules.className) != false
    }

    /// Everybody may write an object without an ACL. Exception: only the user may write the user's own `_User` row without an ACL.
    private func allowsWriting(by acl: AccessControlList?) -> Bool {
        acl?.allowsWriting(by: rules.principal) ?? !isOfOtherUser
    }

    /// Whether the principal may delete an object with unreadable fields.
    /// - Parameter acl: the object's last readable ACL; nil for none.
    func allowsWritingDamaged(_ acl: AccessControlList?) -> Bool {
        isBound ? limit == nil && allowsWriting(by: acl) : !isOfOtherUser
    }

    /// Whether the principal may write only objects that meet a condition.
    var isLimited: Bool { limit != nil }

    func allowsReading(_ objectId: String, _ view: ObjectState) -> Bool {
        guard isBound, !rules.principal.readsEverything else { return true }
        guard AccessControlList(view.fields["ACL"])?.allowsReading(by: rules.principal) != false else { return false }
        return switch rules.verdict(on: .get, objectId) {
        case .allowed: true
        case .refused: false
        case .limited(let limit): limit.holdsForPointers(view.fields, of: rules.className)
        }
    }

    /// Checks that the principal may add fields to the class (the permission `addField`).
    /// - Parameter object: id and view of the object of an update; nil for a create.
    func checkAddingFields(to object: (id: String, view: ObjectState)?) throws(ParseError) {
        guard let limit = try rules.authorize(.addField(creates: object == nil)), let (objectId, view) = object else {
            return
        }
        guard limit.holdsForPointers(view.fields, of: rules.className) else { throw refusal(of: objectId, view) }
    }

    /// Applies operations to an object. If an operation fails on a field that the principal may not read, the error
    /// does not tell the type of the field's value.
    func hidingTypes<Value>(
        of object: ObjectLife, _ view: ObjectState, writing body: WriteBody, _ apply: () throws -> Value
    ) throws -> Value {
        do {
            return try apply()
        } catch let error as ParseError where error.code == .incorrectType && isBound {
            let hidden = rules.hiddenFields(in: object.objectId) { view.fields }
            let writesHidden = hidden.contains(where: body.writes)
            guard writesHidden || !allowsReading(object.objectId, object.rightsState ?? view) else { throw error }
            throw ParseError(.incorrectType, "An operation does not fit the value of its field.")
        }
    }

    /// The results of operations in the answer to a write, without fields that the principal may not read.
    func shown(_ echoed: JSONObject, of object: ObjectLife) -> JSONObject {
        guard isBound, !echoed.isEmpty, let view = object.view, let rights = object.rightsState else { return echoed }
        guard allowsReading(object.objectId, rights) else { return [:] }
        let hidden = rules.hiddenFields(in: object.objectId) { view.fields }
        return hidden.isEmpty ? echoed : JSONObject(echoed.filter { !hidden.contains($0.key) })
    }
}

extension Predicate {
    /// Whether an object meets a pointer permission, a condition that compares pointer fields with the user.
    func holdsForPointers(_ fields: JSONObject, of className: String) -> Bool {
        let lookups = Matcher.Lookups(
            regex: { _, _, _ in false }, isMember: { _, _, _ in false }, objects: { _ in [] })
        return (try? Matcher(className: className, lookups: lookups).matches(self, fields)) ?? false
    }
}
