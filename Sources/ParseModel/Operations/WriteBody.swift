/// The body of a create or an update: operations on fields and on paths inside fields.
package struct WriteBody: Sendable {
    package var operations = FieldOperations()
    /// The operations on paths, in the order of the body.
    package private(set) var nested: [NestedOperation] = []
    /// By field, the class name in a value `{"__type":"Relation","className":…}` of the body.
    package private(set) var relations: [String: String] = [:]
    /// The fields and paths with a Delete operation in the body.
    package private(set) var deleted: Set<String> = []
    /// The fields and paths whose value in the body is null or the empty string.
    package private(set) var emptied: Set<String> = []

    private static let depthMax = 32
    /// The maximum number of operations on paths in one write.
    private static let nestedMax = 1000

    /// Reads and validates a request body.
    /// - Parameters:
    ///   - creates: true for a create. `SetOnInsert` sets its value in a create, and has no effect in an update.
    ///   - allowsAuthData: whether the body of a user may have a checked `authData`, as in an import.
    /// - Throws: Parse error 105 (invalid field name, prohibited key), 116 (object too large) for too many paths, 119 (operation
    ///   forbidden) for a user's `password` or `authData` and for a relation to a class that is reserved for the server, and the
    ///   errors of `FieldOperation.init(json:field:className:)`.
    package init(
        _ body: JSONObject, className: String, creates: Bool, allowsAuthData: Bool = false
    ) throws(ParseError) {
        if className == "_User" {
            for secret in allowsAuthData ? ["password"] : ["password", "authData"] where body[secret]?.isNull == false {
                throw ParseError(.operationForbidden, "Users are not supported yet: \(secret) cannot be stored.")
            }
        }
        try ProhibitedKeys.check(body)
        let body = className == "_Installation" ? Self.installation(body) : body
        var plain = JSONObject()
        plain.reserveCapacity(body.count)
        for (name, value) in body {
            var value = value
            if value.object?["__op"] == "SetOnInsert", name != "ACL" {
                guard creates else { continue }
                value = value.object?["amount"] ?? .null
            }
            if value.object?["__op"] == "Delete" { deleted.insert(name) }
            if value.isNull || value == "" { emptied.insert(name) }
            if case .relation(let memberClass) = FieldType(of: value) {
                try Self.checkMembers(of: memberClass, name)
                relations[name] = memberClass
            }
            if name.utf8.contains(UInt8(ascii: ".")) {
                nested.append(try Self.nested(name, value, className))
                guard nested.count <= Self.nestedMax else {
                    throw ParseError(
                        .objectTooLarge, "A write has at most \(Self.nestedMax) operations on nested paths.")
                }
            } else {
                plain[name] = value
            }
        }
        operations = try FieldOperations(body: plain, className: className)
        for (name, change) in operations.relationChanges { try Self.checkMembers(of: change.memberClass, name) }
        guard operations.members.count(where: { $0.value.type == .geoPoint }) < 2 else { throw .secondGeoPoint }
    }

    /// Checks that objects of a class may be members of a relation. A query on a relation reads the class of the
    /// members, so a relation to an internal class would let clients read that class.
    /// - Throws: Parse error 119 (operation forbidden) for a class that is reserved for the server.
    private static func checkMembers(of memberClass: String, _ field: String) throws(ParseError) {
        guard ClassName.isReservedForServer(memberClass) else { return }
        throw ParseError(
            .operationForbidden, "The relation \(field) cannot have members of the class \(memberClass).")
    }

    private static func nested(
        _ name: String, _ value: JSONValue, _ className: String
    ) throws(ParseError) -> NestedOperation {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try FieldName.validate(parts[0])
        if let type = DefaultFields.common.first(where: { $0.name == parts[0] })?.type {
            throw .schemaMismatch(className, parts[0], expected: type, got: .object)
        }
        guard parts.count <= depthMax else {
            throw ParseError(.invalidFieldName, "Invalid field name: the path into \(parts[0]) has too many levels.")
        }
        guard parts.dropFirst().allSatisfy({ !$0.isEmpty && !$0.contains("$") }) else {
            throw ParseError(.invalidNestedKey, "Nested keys should not contain the '$' or '.' characters")
        }
        let operation = try FieldOperation(json: value, field: name, className: className)
        if case .relation = operation.type {
            throw ParseError(.incorrectType, "\(className).\(name) is a nested path and cannot be a relation.")
        }
        return NestedOperation(field: parts[0], path: Array(parts.dropFirst()), operation: operation)
    }

    /// The write as operations on whole fields. An operation on a path becomes a Set of the whole field, or is left out if the
    /// field keeps its value.
    /// - Parameter fields: the current fields of the object.
    /// - Throws: the errors of `FieldOperation.apply` and `NestedOperation.apply`.
    package func operations(on fields: JSONObject, className: String) throws(ParseError) -> FieldOperations {
        guard !nested.isEmpty else { return operations }
        var (operations, fields) = (operations, try operations.apply(to: fields, className: className))
        for nested in nested {
            let after = try nested.apply(to: fields[nested.field], className: className)
            if let after, after != fields[nested.field] { operations[nested.field] = .set(after) }
            fields[nested.field] = after
        }
        return operations
    }

    /// Whether the body has an operation on the field or on a path inside it.
    package func writes(_ field: String) -> Bool {
        operations[field] != nil || nested.contains { $0.field == field }
    }

    /// The new values that the response contains: the results of Increment, Add, AddUnique and Remove.
    /// - Parameter fields: the object's fields after the write.
    package func echoed(from fields: JSONObject) -> JSONObject {
        var echoed = operations.echoed(from: fields)
        for nested in nested where nested.operation.isEchoed {
            var value = fields[nested.field]
            for key in nested.path { value = value?.object?[key] ?? Int(key).flatMap { value?.array?[$0] } }
            guard let value else { continue }
            echoed[nested.field] = Self.merged(echoed[nested.field], nested.path[...], value)
        }
        return echoed
    }

    /// Adds `value` at the path to `echoed`, the part of a field's value that the response contains.
    private static func merged(_ echoed: JSONValue?, _ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue {
        guard let key = path.first else { return value }
        var object = echoed?.object ?? [:]
        object[key] = merged(object[key], path.dropFirst(), value)
        return .object(object)
    }
}
