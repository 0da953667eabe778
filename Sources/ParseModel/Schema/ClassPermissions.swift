/// The permissions of a class (`classLevelPermissions`): the users and roles that may perform each operation.
enum ClassPermissions {
    private static let operations = ["find", "get", "count", "create", "update", "delete", "addField"]
    private static let pointerOperations: Set<String> = ["readUserFields", "writeUserFields"]

    /// The permissions in the format of a `/schemas` response, with an entry for every operation. If `permissions` is nil, every
    /// operation is public. Otherwise, an operation without an entry needs the master key.
    static func shown(_ permissions: JSONObject?) -> JSONObject {
        var shown = JSONObject()
        for operation in operations { shown[operation] = permissions == nil ? ["*": true] : [:] }
        shown["protectedFields"] = permissions == nil ? ["*": []] : [:]
        for (operation, value) in permissions ?? [:] { shown[operation] = value }
        return shown
    }

    /// Validates permissions.
    /// - Throws: Parse error 107 (invalid JSON), with Parse Server's message.
    static func check(_ permissions: JSONObject, of schema: ClassSchema) throws(ParseError) {
        for (operation, value) in permissions {
            if pointerOperations.contains(operation) {
                guard let fields = value.array else { throw notA("an array", value, operation) }
                for field in fields { try checkPointer(field, operation, schema) }
                continue
            }
            guard operations.contains(operation) || ["protectedFields", DefaultACL.name].contains(operation) else {
                throw ParseError(
                    .invalidJSON, "\(operation) is not a valid operation for class level permissions")
            }
            guard let entities = value.object else { throw notA("an object", value, operation) }
            for (entity, allowed) in entities {
                switch operation {
                case "protectedFields": try checkProtected(allowed, from: entity, schema)
                case DefaultACL.name: try checkRights(allowed, of: entity)
                default: try check(allowed, of: entity, operation, schema)
                }
            }
        }
    }

    private static func check(
        _ allowed: JSONValue, of entity: String, _ operation: String, _ schema: ClassSchema
    ) throws(ParseError) {
        guard isEntity(entity) || entity == "requiresAuthentication" || entity == "pointerFields" else {
            throw notAKey(entity)
        }
        guard entity == "pointerFields" else {
            guard allowed == true else {
                throw ParseError(
                    .invalidJSON,
                    "'\(text(allowed))' is not a valid value for class level permissions "
                        + "\(operation):\(entity):\(text(allowed))")
            }
            return
        }
        guard let fields = allowed.array else {
            throw ParseError(
                .invalidJSON,
                "'\(text(allowed))' is not a valid value for \(operation)[\(entity)] - expected an array.")
        }
        // Parse Server's message has the text `[object Object]` in place of the operation's name.
        for field in fields { try checkPointer(field, "[object Object]", schema) }
    }

    /// Checks an entry of the default ACL. The entity `currentUser` stands for the user who creates an object.
    private static func checkRights(_ rights: JSONValue, of entity: String) throws(ParseError) {
        guard isEntity(entity) else { throw notAKey(entity) }
        guard let object = rights.object,
            object.allSatisfy({ ["read", "write"].contains($0.key) && $0.value.bool != nil })
        else {
            throw ParseError(
                .invalidJSON,
                "'\(text(rights))' is not a valid value for class level permissions \(DefaultACL.name):\(entity)")
        }
    }

    private static func checkProtected(
        _ fields: JSONValue, from entity: String, _ schema: ClassSchema
    ) throws(ParseError) {
        guard isEntity(entity) || entity.hasPrefix("userField:") else { throw notAKey(entity) }
        guard let fields = fields.array else {
            throw ParseError(
                .invalidJSON,
                "'\(text(fields))' is not a valid value for protectedFields[\(entity)] - expected an array.")
        }
        for field in fields {
            let name = text(field)
            guard !DefaultFields.common.contains(where: { $0.name == name }) else {
                throw ParseError(.invalidJSON, "Default field '\(name)' can not be protected")
            }
            guard schema[name] != nil else {
                throw ParseError(.invalidJSON, "Field '\(name)' in protectedFields:\(entity) does not exist")
            }
        }
    }

    /// Checks that a field can be used for a pointer permission: an array, or a pointer to `_User`.
    private static func checkPointer(
        _ field: JSONValue, _ operation: String, _ schema: ClassSchema
    ) throws(ParseError) {
        switch schema[text(field)]?.type {
        case .pointer("_User"), .array: return
        default:
            throw ParseError(
                .invalidJSON,
                "'\(text(field))' is not a valid column for class level pointer permissions \(operation)")
        }
    }

    /// Whether a key of the permissions stands for users: `*`, `role:NAME`, or a text of letters and digits, such as a
    /// user id.
    private static func isEntity(_ name: String) -> Bool {
        name == "*" || name.hasPrefix("role:") || (!name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit })
    }

    private static func notAKey(_ name: String) -> ParseError {
        ParseError(.invalidJSON, "'\(name)' is not a valid key for class level permissions")
    }

    private static func notA(_ kind: String, _ value: JSONValue, _ operation: String) -> ParseError {
        ParseError(
            .invalidJSON,
            "'\(text(value))' is not a valid value for class level permissions \(operation) - must be \(kind)")
    }

    private static func text(_ value: JSONValue) -> String { value.string ?? value.jsonText }
}
