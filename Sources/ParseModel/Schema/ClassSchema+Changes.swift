/// Schema changes by `/schemas` requests. The checks run in Parse Server's order.
extension ClassSchema {
    /// The schema of a new class.
    /// - Parameter body: an object with the optional members `fields`, `classLevelPermissions` and `indexes`.
    /// - Throws: a `ParseError` for an invalid class name, field, permission or index.
    package init(making className: String, _ body: JSONObject) throws(ParseError) {
        guard ClassName.isValid(className) else { throw .invalidClassName(className) }
        try ProhibitedKeys.check(body)
        self.init(className)
        try add(Self.object("fields", in: body).map { ($0.key, $0.value) })
        try checkGeoPoints()
        try setPermissions(body)
        // For a new class, Parse Server treats an empty `indexes` object as absent.
        let indexes = Self.object("indexes", in: body)
        if !indexes.isEmpty { try setIndexes(indexes) }
    }

    /// Changes the schema: adds and deletes fields and indexes, and sets the options of fields. Fields and indexes that the body
    /// does not mention stay unchanged. `classLevelPermissions` replaces all permissions. If it is absent, they stay unchanged.
    /// - Returns: the deleted fields. The caller deletes their values from all objects.
    /// - Throws: a `ParseError` for an invalid field, permission or index, and 255 (impossible schema change) for a field that
    ///   exists with another type, or a deletion of an absent field.
    package mutating func change(_ body: JSONObject) throws(ParseError) -> [String] {
        try ProhibitedKeys.check(body)
        var deleted: [String] = []
        var submitted: [(String, JSONValue)] = []
        for (name, value) in Self.object("fields", in: body) {
            let deletes = value.object?["__op"] == "Delete"
            let existing = self[name]
            if let existing, !deletes, value.object?["type"]?.string != existing.type.json["type"]?.string {
                throw ParseError(.impossibleSchemaChange, "Field \(name) exists, cannot update.")
            }
            if existing == nil, deletes {
                throw ParseError(.impossibleSchemaChange, "Field \(name) does not exist, cannot delete.")
            }
            if deletes { deleted.append(name) } else { submitted.append((name, value)) }
        }
        let before = self
        for name in deleted { added[name] = nil }
        try add(submitted.filter { before[$0.0] == nil })
        try checkGeoPoints()
        for name in deleted where DefaultFields.contain(name, of: className) {
            throw ParseError(.unchangeableField, "field \(name) cannot be changed")
        }
        for (name, value) in submitted { try setOptions(of: name, value, before[name]) }
        try setPermissions(body)
        if let indexes = body["indexes"], !indexes.isNull { try setIndexes(Self.object("indexes", in: body)) }
        return deleted
    }

    /// Adds an exported schema to the present one. Fields and indexes that only the present one has stay.
    /// - Parameters:
    ///   - body: `fields`, `classLevelPermissions` and `indexes` of the exported schema, all optional.
    ///   - present: the present schema; nil for a new class.
    /// - Throws: a `ParseError` as `change` does; also for an index that exists with other keys.
    package init(
        importing className: String, _ body: JSONObject, over present: ClassSchema?
    ) throws(ParseError) {
        guard ClassName.isValid(className) else { throw .invalidClassName(className) }
        self = present ?? ClassSchema(className)
        var body = body
        body.removeAll { !["fields", "classLevelPermissions", "indexes"].contains($0) }
        for (name, value) in Self.object("fields", in: body) where value.object?["__op"] != nil {
            throw ParseError(.invalidJSON, "The exported schema of \(className) has an operation on \(name).")
        }
        if let indexes = body["indexes"]?.object {
            // The index of the ids is always there, and `change` refuses known indexes.
            let known = self.indexes
            body["indexes"] = .object(
                JSONObject(indexes.filter { $0.key != "_id_" && known[$0.key] != $0.value }.map { ($0.key, $0.value) }))
        }
        _ = try change(body)
    }

    private mutating func add(_ fields: [(name: String, value: JSONValue)]) throws(ParseError) {
        for (name, value) in fields {
            guard FieldName.isValid(name) else {
                throw ParseError(.invalidFieldName, "invalid field name: \(name)")
            }
            guard !DefaultFields.contain(name, of: className) else {
                throw ParseError(.unchangeableField, "field \(name) cannot be added")
            }
            added[name] = try SchemaField(value, of: name, in: className)
        }
    }

    private func checkGeoPoints() throws(ParseError) {
        let places = added.filter { $0.value.type == .geoPoint }.keys.sorted()
        guard places.count > 1 else { return }
        throw ParseError(
            .incorrectType,
            "currently, only one GeoPoint field may exist in an object. Adding \(places[1]) when \(places[0]) "
                + "already exists.")
    }

    /// Changes the options of an existing field. Does nothing for a new field, whose `existing` is nil.
    private mutating func setOptions(
        of name: String, _ value: JSONValue, _ existing: SchemaField?
    ) throws(ParseError) {
        // `objectId` and `ACL` have no options. They are skipped instead of refused, because a client may send the
        // complete schema.
        guard let existing, existing.type != .acl, name != "objectId" else { return }
        let field = try SchemaField(value, of: name, in: className)
        guard field.type == existing.type else {
            throw .schemaMismatch(className, name, expected: existing.type, got: field.type)
        }
        let isUsual = DefaultFields.contain(name, of: className) && field == SchemaField(field.type)
        added[name] = isUsual ? nil : field
    }

    private mutating func setPermissions(_ body: JSONObject) throws(ParseError) {
        switch body["classLevelPermissions"] {
        case nil: return
        case let value? where value.holdsMore(than: Self.permissionsMax):
            throw ParseError(
                .invalidJSON, "classLevelPermissions holds more than \(Self.permissionsMax) values.")
        case let value? where !value.isTruthy: permissions = nil
        case .object(let object):
            try ClassPermissions.check(object, of: self)
            permissions = object
        case let value?:
            // As on Parse Server, `true`, a number and `[]` set empty permissions. The check below refuses strings and
            // other arrays.
            try ClassPermissions.check(Self.members(of: value), of: self)
            permissions = [:]
        }
    }

    private mutating func setIndexes(_ submitted: JSONObject) throws(ParseError) {
        // MongoDB adds its `_id_` index to every class with indexes.
        if indexes.isEmpty { indexes["_id_"] = ["_id": 1] }
        for (name, value) in submitted {
            guard let index = value.object else { throw ParseError(.invalidJSON, "invalid JSON") }
            let deletes = index["__op"] == "Delete"
            if indexes[name] != nil, !deletes {
                throw ParseError(.invalidQuery, "Index \(name) exists, cannot update.")
            }
            if indexes[name] == nil, deletes {
                throw ParseError(.invalidQuery, "Index \(name) does not exist, cannot delete.")
            }
            for key in index.keys where !deletes {
                guard self[key.hasPrefix("_p_") ? String(key.dropFirst(3)) : key] != nil else {
                    throw ParseError(.invalidQuery, "Field \(key) does not exist, cannot add index.")
                }
            }
            indexes[name] = deletes ? JSONValue?.none : value
            guard indexes.count <= Self.indexesMax else {
                throw ParseError(.invalidQuery, "A class has at most \(Self.indexesMax) indexes.")
            }
        }
    }

    /// The maximum number of indexes of a class, as on MongoDB.
    private static let indexesMax = 64
    /// The maximum number of JSON values in the permissions.
    private static let permissionsMax = 10_000

    private static func object(_ name: String, in body: JSONObject) -> JSONObject {
        members(of: body[name] ?? .null)
    }

    /// The members that a `for…in` loop of JavaScript finds in a value. The members of an array are its elements, named
    /// by their index. The members of a string are its characters. Of these, the result contains only the first,
    /// because every caller refuses it anyway.
    private static func members(of value: JSONValue) -> JSONObject {
        switch value {
        case .null, .bool, .number: [:]
        case .object(let object): object
        case .array(let elements): JSONObject(elements.enumerated().map { (String($0.offset), $0.element) })
        case .string(let text): JSONObject(text.prefix(1).map { ("0", .string(String($0))) })
        }
    }
}
