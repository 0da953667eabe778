/// The rights of a principal on classes, objects and fields, as a stock Parse Server grants them.
///
/// The rules are pure. A store applies them to each read, write and query; a new store calls the same functions.
package enum AccessRules {
    /// An operation on the objects of one class.
    package enum Operation: Sendable, Hashable { case list, get, create, update, delete }

    /// Fields of `_User` that only the master key may read. Users are public, but their email addresses are not.
    private static let fieldsOfMaster: [String: [String]] = ["_User": ["email", "authData"]]

    /// The fields of a class that the principal may neither read nor query.
    package static func hiddenFields(of className: String, from principal: Principal) -> [String] {
        principal.isMaster ? [] : fieldsOfMaster[className] ?? []
    }

    /// Whether the change feed shows the objects of a class to the principal. A hidden entry has no `object`.
    package static func feedShowsObjects(of className: String, to principal: Principal) -> Bool {
        principal.isMaster || !ClassName.special.contains(className) || className == "_Role"
    }

    /// Checks an operation.
    /// - Throws: the error of `refusal`.
    package static func authorize(
        _ operation: Operation, _ className: String, _ objectId: String? = nil, as principal: Principal
    ) throws(ParseError) {
        if let refusal = refusal(of: operation, className, objectId, to: principal) { throw refusal }
    }

    /// The error for an operation that the principal may not perform: 119, 206 or 209, with Parse Server's message. Sessions are
    /// not supported yet, so an operation that requires a session requires the master key.
    /// - Parameter objectId: the object id for the error.
    /// - Returns: nil for an allowed operation.
    package static func refusal(
        of operation: Operation, _ className: String, _ objectId: String? = nil, to principal: Principal
    ) -> ParseError? {
        guard !principal.isMaster else { return nil }
        switch (className, operation) {
        case ("_Session", _): return ParseError(.invalidSessionToken, "Invalid session token")
        case ("_Installation", .list), ("_Installation", .delete):
            let verb = operation == .list ? "find" : "delete"
            return ParseError(
                .operationForbidden,
                "Clients aren't allowed to perform the \(verb) operation on the installation collection.")
        case ("_User", .update): return ParseError(.sessionMissing, "Cannot modify user \(objectId ?? "").")
        case ("_User", .delete): return ParseError(.sessionMissing, "Insufficient auth to delete user")
        default: return nil
        }
    }

    /// Checks the classes and fields that a query names, also in its subqueries. A query by a hidden field is refused, because
    /// its results would reveal the field's values.
    /// - Throws: `ParseError` 119 for a hidden field, and the errors of `authorize` for a class that the principal may not list.
    package static func check(
        _ query: ParseQuery, of className: String, as principal: Principal
    ) throws(ParseError) {
        guard !principal.isMaster else { return }
        try authorize(.list, className, as: principal)
        try check(query.predicate, of: className, as: principal)
        for key in query.order { try check(key.path, of: className, as: principal) }
    }

    private static func check(
        _ predicate: Predicate, of className: String, as principal: Principal
    ) throws(ParseError) {
        switch predicate {
        case .and(let parts), .or(let parts), .nor(let parts):
            for part in parts { try check(part, of: className, as: principal) }
        case .relatedTo: break
        case .field(let path, let constraint):
            try check(path, of: className, as: principal)
            switch constraint {
            case .inQuery(let query), .notInQuery(let query): try check(query, as: principal)
            case .select(let query, let key), .dontSelect(let query, let key):
                try check(query, as: principal)
                try check(key, of: query.className, as: principal)
            default: break
            }
        }
    }

    private static func check(_ query: Subquery, as principal: Principal) throws(ParseError) {
        try check(ParseQuery(predicate: query.predicate, order: query.order), of: query.className, as: principal)
    }

    private static func check(
        _ path: FieldPath, of className: String, as principal: Principal
    ) throws(ParseError) {
        guard let name = path.segments.first, hiddenFields(of: className, from: principal).contains(name) else {
            return
        }
        throw ParseError(
            .operationForbidden, "This user is not allowed to query \(name) on class \(className)")
    }
}

extension ParseError.Code {
    fileprivate static let sessionMissing = Self(rawValue: 206)
}
