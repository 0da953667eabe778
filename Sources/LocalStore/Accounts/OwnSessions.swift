import GRDB
import ParseModel
import StoreService

/// The only place that restricts a user to the own objects of `_Session`: in reads by id, lists and writes.
struct OwnSessions {
    private let user: Pointer?

    init(_ className: String, _ principal: Principal) {
        user =
            className == "_Session"
            ? principal.user.map { Pointer(className: "_User", objectId: $0.objectId) } : nil
    }

    /// Whether the principal may read or change the object.
    func include(_ object: StoredObject) throws -> Bool {
        guard let user else { return true }
        return try Self.owner(in: object.fields(of: "_Session")) == user
    }

    /// The conditions of a list, with the condition that the session is an own one.
    func restricted(_ predicate: Predicate) throws(ParseError) -> Predicate {
        guard let user else { return predicate }
        return .and([predicate, .field(try FieldPath("user"), .equal(user.json))])
    }

    private static func owner(in session: JSONObject) -> Pointer? { session["user"].flatMap { Pointer($0) } }
}
