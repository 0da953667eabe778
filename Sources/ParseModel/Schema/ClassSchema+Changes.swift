/// What requests of `/schemas` ask for, in the order in which a Parse Server checks them.
extension ClassSchema {
    /// A class that is to be made.
    /// - Parameter body: `{"fields", "classLevelPermissions", "indexes"}`, none of which it must have.
    /// - Throws: 102, 103, 105, 107, 111, 135 or 136.
    package init(making className: String, _ body: JSONObject) throws(ParseError) {
        guard ClassName.isPossible(className) else { throw .impossibleClassName(className) }
        self.init(className)
        try add(Self.object("fields", in: body).map { ($0.key, $0.value) })
        try checkPlaces()
        try setPermissions(body)
        // A Parse Server takes no indexes for none having been named.
        let indexes = Self.object("indexes", in: body)
        if !indexes.isEmpty { try setIndexes(indexes) }
    }

    /// Adds and deletes fields, sets their options, permissions and indexes. What the body does not name stays.
    /// - Returns: the fields that are gone, with whatever objects hold in them.
    /// - Throws: 102, 103, 105, 107, 111, 135, 136 or 255.
    package mutating func change(_ body: JSONObject) throws(ParseError) -> [String] {
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
        try checkPlaces()
        for name in deleted where DefaultFields.contain(name, of: className) {
            throw ParseError(.unchangeableField, "field \(name) cannot be changed")
        }
        for (name, value) in submitted { try setOptions(of: name, value, before[name]) }
        try setPermissions(body)
        if let indexes = body["indexes"], !indexes.isNull { try setIndexes(Self.object("indexes", in: body)) }
        return deleted
    }

    private mutating func add(_ fields: [(name: String, value: JSONValue)]) throws(ParseError) {
        for (name, value) in fields {
            guard FieldName.isPossible(name) else {
                throw ParseError(.invalidFieldName, "invalid field name: \(name)")
            }
            guard !DefaultFields.contain(name, of: className) else {
                throw ParseError(.unchangeableField, "field \(name) cannot be added")
            }
            added[name] = try SchemaField(value, of: name, in: className)
        }
    }

    private func checkPlaces() throws(ParseError) {
        let places = added.filter { $0.value.type == .geoPoint }.keys.sorted()
        guard places.count > 1 else { return }
        throw ParseError(
            .incorrectType,
            "currently, only one GeoPoint field may exist in an object. Adding \(places[1]) when \(places[0]) "
                + "already exists.")
    }

    /// A field that is there already may get other options, and no other type.
    private mutating func setOptions(
        of name: String, _ value: JSONValue, _ existing: SchemaField?
    ) throws(ParseError) {
        // What every object has is named back by clients that send a whole schema.
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
            // A value that is not an object names no operation, or unknown ones.
            try ClassPermissions.check(Self.members(of: value), of: self)
            permissions = [:]
        }
    }

    private mutating func setIndexes(_ submitted: JSONObject) throws(ParseError) {
        // MongoDB's own, which no class is without once it has any.
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

    /// As on MongoDB. Schemas are read with each write, so none may grow without end.
    private static let indexesMax = 64
    /// How many values permissions may hold.
    private static let permissionsMax = 10_000

    private static func object(_ name: String, in body: JSONObject) -> JSONObject {
        members(of: body[name] ?? .null)
    }

    /// The members of a value as JavaScript sees them: the elements of a list by their number, the letters of a text.
    private static func members(of value: JSONValue) -> JSONObject {
        switch value {
        case .null, .bool, .number: [:]
        case .object(let object): object
        case .array(let elements): JSONObject(elements.enumerated().map { (String($0.offset), $0.element) })
        case .string(let text): JSONObject(text.prefix(1).map { ("0", .string(String($0))) })
        }
    }
}
