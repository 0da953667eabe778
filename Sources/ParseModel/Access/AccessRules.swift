/// The rights of one principal on one class, its objects and their fields, as on a Parse Server with default settings: the
/// permissions of the class, and the built-in rules of special classes.
///
/// The rules are pure functions. Every store must apply them, and the ACLs of objects, to each read, write and query.
package struct AccessRules: Sendable, Hashable {
    /// An operation on the objects of one class.
    package enum Operation: Sendable, Hashable {
        case list, get, count, create, update, delete
        /// A write that adds a field to the class.
        case addField(creates: Bool)

        fileprivate var permission: ClassRights.Operation {
            switch self {
            case .list: .find
            case .get: .get
            case .count: .count
            case .create: .create
            case .update: .update
            case .delete: .delete
            case .addField: .addField
            }
        }
    }

    package let className: String
    package let principal: Principal
    package let rights: ClassRights

    /// - Parameter rights: the rights that the permissions of the class give. A replica that does not enforce
    ///   permissions passes `ClassRights` without permissions.
    package init(_ principal: Principal, _ rights: ClassRights) {
        self.className = rights.className
        self.principal = principal
        self.rights = rights
    }

    // MARK: Operations

    /// Whether the principal may perform an operation.
    /// - Parameter objectId: the id of the object, if the operation is on one object.
    package func verdict(on operation: Operation, _ objectId: String? = nil) -> ClassRights.Verdict {
        if let refusal = Self.refusal(of: operation, className, objectId, to: principal) { return .refused(refusal) }
        let creates = if case .addField(creates: true) = operation { true } else { false }
        let verdict = rights.verdict(on: operation.permission, as: principal, creates: creates)
        guard className == "_Session", operation != .create, !creates, principal.user != nil,
            !(operation.permission.isRead ? principal.readsEverything : principal.writesEverything)
        else { return verdict }
        return Self.both(.limited(Self.ownSessions(principal)), verdict)
    }

    /// Checks that the principal may perform an operation on at least some objects of the class.
    /// - Returns: the condition on these objects; nil if the operation is allowed on all of them.
    /// - Throws: the error with which Parse Server refuses the operation.
    @discardableResult
    package func authorize(_ operation: Operation, _ objectId: String? = nil) throws(ParseError) -> Predicate? {
        switch verdict(on: operation, objectId) {
        case .allowed: nil
        case .refused(let error): throw error
        case .limited(let condition): condition
        }
    }

    /// The writes that the principal may make on no object of the class: some of create, update, delete and addField.
    package var deniedWrites: [ClassRights.Operation] {
        let writes: [Operation] = [.create, .update, .delete, .addField(creates: false)]
        guard principal != .readOnlyMaster else { return writes.map(\.permission) }
        return writes.filter { if case .refused = verdict(on: $0) { true } else { false } }.map(\.permission)
    }

    private static func both(_ a: ClassRights.Verdict, _ b: ClassRights.Verdict) -> ClassRights.Verdict {
        switch (a, b) {
        case (.refused, _), (_, .allowed): a
        case (_, .refused), (.allowed, _): b
        case (.limited(let a), .limited(let b)): .limited(.and([a, b]))
        }
    }

    /// The pointer fields by which permissions decide which objects of a class a user may list or read by id.
    package static func pointersOfReads(_ rights: ClassRights) -> [String] {
        rights.pointersOfReads + (rights.className == "_Session" ? ["user"] : [])
    }

    // MARK: Special classes

    /// The error with which the built-in rules of a special class refuse an operation: Parse error 119 (operation
    /// forbidden), 206 (session missing) or 209 (invalid session token).
    /// - Parameter objectId: the id of the object, if the operation is on one object.
    /// - Returns: nil if these rules allow the operation.
    package static func refusal(
        of operation: Operation, _ className: String, _ objectId: String? = nil, to principal: Principal
    ) -> ParseError? {
        if let refusal = InternalClasses.refusal(of: operation, className, to: principal) { return refusal }
        guard !(operation.permission.isRead ? principal.readsEverything : principal.writesEverything) else {
            return nil
        }
        switch (className, operation) {
        case ("_Session", .create) where principal.user == nil: return .invalidSession
        case ("_Session", _) where principal.user == nil: return .noSession
        case ("_Installation", .list), ("_Installation", .count), ("_Installation", .delete):
            let verb = operation == .delete ? "delete" : "find"
            return .denial(
                .operationForbidden,
                "Clients aren't allowed to perform the \(verb) operation on the installation collection.")
        // The ACL of the user decides which signed-in users may change it.
        case ("_User", .update) where principal.user == nil:
            return .denial(.sessionMissing, "Cannot modify user \(objectId ?? "").")
        case ("_User", .delete) where principal.user == nil:
            return .denial(.sessionMissing, "Insufficient auth to delete user")
        default: return nil
        }
    }

    /// The condition for the principal's own sessions. No session meets it if the principal has no user.
    private static func ownSessions(_ principal: Principal) -> Predicate {
        guard let user = principal.user, let path = try? FieldPath("user") else { return .or([]) }
        return .field(path, .equal(Pointer(className: "_User", objectId: user.objectId).json))
    }

    /// Whether an id is the id of the principal's own user. No field of this user is hidden from the principal.
    package func isOwnUser(_ objectId: String) -> Bool {
        className == "_User" && principal.user?.objectId.isExactly(objectId) == true
    }

    // MARK: Fields

    /// The fields that the principal may not query. They are hidden in each object, unless the object itself allows
    /// more, for example by a pointer to the user.
    package var hiddenFields: [String] { rights.protectedFields.hidden(from: principal) }

    /// Whether the principal may learn the members of a relation, provided that the ACL of the relation's owner lets
    /// the principal read.
    package func showsRelation(_ field: String, of ownerId: String) -> Bool {
        if case .refused = verdict(on: .get, ownerId) { return false }
        return isOwnUser(ownerId) || !hiddenFields.contains(field)
    }

    /// The fields of an object that are hidden from the principal.
    /// - Parameter object: reads the whole object. It is called only if the answer depends on the object's fields.
    package func hiddenFields(in objectId: String, _ object: () throws -> JSONObject) rethrows -> [String] {
        try rights.protectedFields.hidden(from: principal, in: objectId, object)
    }

    /// Whether the change feed shows the objects of a class to the principal. If not, the feed's entries for the class
    /// have no `object` member.
    package static func feedShowsObjects(of className: String, to principal: Principal) -> Bool {
        principal.readsEverything || !ClassName.special.contains(className) || className == "_Role"
    }
}
