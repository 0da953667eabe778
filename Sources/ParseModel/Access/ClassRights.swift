/// The rights that the permissions of a class (`classLevelPermissions`) give. They follow the rules of Parse Server's
/// `SchemaController` (`testPermissions`, `validatePermission`) and `DatabaseController` (`addPointerPermissions`).
package struct ClassRights: Sendable, Hashable {
    /// An operation that the permissions name.
    package enum Operation: String, Sendable, Hashable {
        case find, get, count, create, update, delete, addField

        /// Whether the operation reads objects, so that `readUserFields` applies to it and not `writeUserFields`.
        package var isRead: Bool { [.find, .get, .count].contains(self) }
    }

    /// The answer to the question whether a principal may perform an operation.
    package enum Verdict: Sendable, Hashable {
        case allowed
        case refused(ParseError)
        /// Allowed for the objects that meet the condition. To the principal, the other objects do not exist.
        case limited(Predicate)
    }

    package let className: String
    let protectedFields: ProtectedFields
    /// The permissions; nil if none are set, which makes every operation public.
    private let permissions: JSONObject?
    /// Whether the remote of a site replica (a replica for several users) has not described the class yet, so that its
    /// real permissions are unknown.
    private let isUndescribed: Bool

    /// - Parameters:
    ///   - permissions: the stored permissions. If an operation has no entry, it needs the master key. Nil makes every
    ///     operation public.
    ///   - isUndescribed: whether the real permissions are unknown, because the remote of a site replica has not
    ///     described the class yet.
    package init(_ className: String, permissions: JSONObject? = nil, isUndescribed: Bool = false) {
        self.isUndescribed = isUndescribed
        self.className = className
        self.permissions = permissions
        protectedFields = ProtectedFields(of: className, permissions?["protectedFields"]?.object ?? [:])
    }

    /// Whether the class has no permissions, so that everybody may perform every operation and see every field.
    /// Built-in rules of the class still apply.
    package var isOpen: Bool { permissions == nil }

    /// The fields whose pointers to users decide which objects a user may list or read by id.
    package var pointersOfReads: [String] {
        guard let permissions else { return [] }
        let own = Self.readOperations.flatMap { Self.names(permissions[$0]?.object?["pointerFields"]) }
        var seen: Set<String> = []
        return (own + Self.names(permissions["readUserFields"])).filter { seen.insert($0).inserted }
    }

    /// Whether both permissions let every caller list the same objects, and read the same ones by id.
    package func givesSameReads(as other: ClassRights) -> Bool {
        guard let permissions, let others = other.permissions else { return isOpen == other.isOpen }
        return (Self.readOperations + ["readUserFields"]).allSatisfy { permissions[$0] == others[$0] }
    }

    /// Whether the permission to list objects, or to read them by id, names one of the roles.
    package func readsDepend(on roles: Set<String>) -> Bool {
        Self.readOperations.contains { operation in
            permissions?[operation]?.object?.contains { AccessEntity.role($0.key).map(roles.contains) == true } == true
        }
    }

    /// The permissions by which live queries and the change feed report objects.
    private static let readOperations = [Operation.find.rawValue, Operation.get.rawValue]

    /// The ACL that an object gets if its creator gives it none; nil if the permissions name no such ACL.
    package func defaultACL(for principal: Principal) -> JSONValue? {
        permissions?[DefaultACL.name]?.object.flatMap { DefaultACL.acl($0, for: principal) }
    }

    /// - Parameter creates: whether `addField` is part of a create.
    package func verdict(on operation: Operation, as principal: Principal, creates: Bool = false) -> Verdict {
        let isExempt = operation.isRead ? principal.readsEverything : principal.writesEverything
        guard let permissions, !isExempt else { return .allowed }
        let entities = permissions[operation.rawValue]?.object ?? [:]
        let isNamed = entities.contains { $0.value.isTruthy && principal.acts(as: $0.key) }
        if isNamed { return .allowed }
        let group = Self.names(permissions[operation.isRead ? "readUserFields" : "writeUserFields"])
        let pointers = Self.names(entities["pointerFields"])
        if entities["requiresAuthentication"]?.isTruthy == true {
            guard principal.user != nil else {
                return .refused(.denial(.objectNotFound, "Permission denied, user needs to be authenticated."))
            }
        } else {
            let mayUsePointers = operation != .addField || !creates
            guard operation != .create, !group.isEmpty || (mayUsePointers && !pointers.isEmpty) else {
                if isUndescribed { return .refused(.undescribed(className)) }
                return .refused(
                    .denial(
                        .operationForbidden,
                        "Permission denied for action \(operation.rawValue) on class \(className)."))
            }
        }
        // A new object has no fields yet to which a pointer permission could apply.
        guard operation != .create, !creates else { return .allowed }
        let fields = pointers + group.filter { !pointers.contains($0) }
        return fields.isEmpty ? .allowed : .limited(Self.condition(fields, principal))
    }

    /// The condition that one of the fields is a pointer to the user, or an array with such a pointer. No object meets
    /// it without a user.
    private static func condition(_ fields: [String], _ principal: Principal) -> Predicate {
        guard let user = principal.userPointer else { return .or([]) }
        let terms = fields.compactMap { try? FieldPath($0) }.map { Predicate.field($0, .equal(user.json)) }
        return terms.count == 1 ? terms[0] : .or(terms)
    }

    private static func names(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }
}
