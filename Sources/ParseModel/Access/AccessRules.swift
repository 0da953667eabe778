/// The rights of a principal on classes, objects and fields, as on a Parse Server with default settings.
///
/// The rules are pure functions. Every store must apply them to each read, write and query.
package enum AccessRules {
    /// An operation on the objects of one class.
    package enum Operation: Sendable, Hashable { case list, get, create, update, delete }

    /// The fields that only the master key may read, by class. The other fields of `_User` objects are public.
    private static let fieldsOfMaster: [String: [String]] = ["_User": ["email", "authData"]]

    /// The fields of a class that the principal may neither read nor query.
    package static func hiddenFields(of className: String, from principal: Principal) -> [String] {
        principal.isMaster ? [] : fieldsOfMaster[className] ?? []
    }

    /// Whether the principal sees the objects of a class in the change feed. If not, the feed's entries for the class have no
    /// `object` member.
    package static func feedShowsObjects(of className: String, to principal: Principal) -> Bool {
        principal.isMaster || !ClassName.special.contains(className) || className == "_Role"
    }

    /// Checks that the principal may perform an operation on a class.
    /// - Throws: the error that `refusal` returns.
    package static func authorize(
        _ operation: Operation, _ className: String, _ objectId: String? = nil, as principal: Principal
    ) throws(ParseError) {
        if let refusal = refusal(of: operation, className, objectId, to: principal) { throw refusal }
    }

    /// Parse Server's error for an operation that the principal may not perform: Parse error 119 (operation forbidden), 206
    /// (session missing) or 209 (invalid session token). A user may change only the own user object, and sees only the own
    /// sessions (`OwnSessions` of the store).
    /// - Parameter objectId: the id of the object, for the message.
    /// - Returns: nil if the operation is allowed.
    package static func refusal(
        of operation: Operation, _ className: String, _ objectId: String? = nil, to principal: Principal
    ) -> ParseError? {
        if let refusal = InternalClasses.refusal(of: operation, className, to: principal) { return refusal }
        guard !principal.isMaster else { return nil }
        switch (className, operation) {
        case ("_Session", _): return principal.user == nil ? .invalidSession : nil
        case ("_Installation", .list), ("_Installation", .delete):
            let verb = operation == .list ? "find" : "delete"
            return ParseError(
                .operationForbidden,
                "Clients aren't allowed to perform the \(verb) operation on the installation collection.")
        case ("_User", .update), ("_User", .delete):
            guard let user = principal.user else {
                return ParseError(
                    .sessionMissing,
                    operation == .update
                        ? "Cannot modify user \(objectId ?? "")." : "Insufficient auth to delete user")
            }
            return user.objectId == objectId ? nil : ParseError(.sessionMissing, "Insufficient auth.")
        default: return nil
        }
    }

    /// Checks that the principal may list the class of a query and the classes of its subqueries. Also checks that no condition,
    /// sort key, `$select` or `$dontSelect` reads one of the `hiddenFields`, because the results would reveal the field's values.
    /// - Throws: Parse error 119 (operation forbidden) for one of the `hiddenFields`; the errors of `authorize` for a class that
    ///   the principal may not list.
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
        // The condition that restricts a list to the own sessions does not cover subqueries.
        if query.className == "_Session" { throw .invalidSession }
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
