/// The documents in which Parse Server stores objects and schemas in MongoDB (its `MongoTransform` and
/// `MongoSchemaCollection`), in MongoDB's extended JSON, version 2, which `mongoimport` reads.
package enum MongoDocument {
    // MARK: Objects

    /// The document of an object.
    /// - Parameter object: the object in Parse's JSON. A user may have `_hashed_password`.
    package static func document(_ object: JSONObject, of schema: ClassSchema) -> JSONObject {
        var document = JSONObject()
        for (field, value) in object {
            switch field {
            case "objectId": document["_id"] = value
            case "createdAt": document["_created_at"] = time(value)
            case "updatedAt": document["_updated_at"] = time(value)
            case "ACL": add(AccessControlList(value), to: &document)
            case "authData" where schema.className == "_User":
                for (provider, data) in value.object ?? [:] { document["_auth_data_" + provider] = inner(data) }
            default:
                if case .relation = FieldType(of: value) ?? schema[field]?.type { continue }
                document[storedName(field, value, schema)] = outer(value)
            }
        }
        return document
    }

    private static func storedName(_ field: String, _ value: JSONValue, _ schema: ClassSchema) -> String {
        if Pointer(value) != nil { return "_p_" + field }
        if value.isNull, case .pointer = schema[field]?.type { return "_p_" + field }
        return field
    }

    /// Adds the entities that may read and write, and the form of older versions of Parse Server, `_acl`. An object
    /// without an ACL has none of these fields.
    private static func add(_ acl: AccessControlList?, to document: inout JSONObject) {
        guard let acl else { return }
        document["_rperm"] = .array(acl.readers.map(JSONValue.string))
        document["_wperm"] = .array(acl.writers.map(JSONValue.string))
        var rights: [(String, JSONValue)] = []
        for entity in acl.writers {
            rights.append((entity, acl.readers.contains(entity) ? ["w": true, "r": true] : ["w": true]))
        }
        for entity in acl.readers where !acl.writers.contains(entity) { rights.append((entity, ["r": true])) }
        document["_acl"] = .object(JSONObject(rights))
    }

    /// The value of a field.
    private static func outer(_ value: JSONValue) -> JSONValue {
        if let pointer = Pointer(value) { return .string(pointer.className + "$" + pointer.objectId) }
        if let file = FileReference(value) { return .string(file.name) }
        if let object = value.object, object["__type"] == "GeoPoint", let latitude = object["latitude"]?.number,
            let longitude = object["longitude"]?.number
        {
            return [number(longitude), number(latitude)]
        }
        if let object = value.object, object["__type"] == "Polygon", let corners = object["coordinates"]?.array {
            // GeoJSON, in which the longitude is first.
            let ring = corners.map { corner -> JSONValue in
                .array((corner.array ?? []).reversed().compactMap(\.number).map(number))
            }
            return ["type": "Polygon", "coordinates": [.array(ring)]]
        }
        return inner(value)
    }

    /// A value inside of a field: dates, bytes and numbers have types of MongoDB, all others stay as they are.
    private static func inner(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .string: return value
        case .number(let number): return self.number(number)
        case .array(let elements): return .array(elements.map(inner))
        case .object(let object):
            if let date = ParseDate(value) { return self.date(date) }
            if object["__type"] == "Bytes", let base64 = object["base64"] {
                return ["$binary": ["base64": base64, "subType": "00"]]
            }
            return .object(JSONObject(object.map { ($0.key, inner($0.value)) }))
        }
    }

    /// A whole number of 32 bits, or a double, as the driver of Parse Server stores numbers.
    private static func number(_ number: JSONNumber) -> JSONValue {
        if let int = number.int, Int32(exactly: int) != nil { return .int(int) }
        return ["$numberDouble": .string(number.canonical.text)]
    }

    private static func time(_ value: JSONValue) -> JSONValue? { value.string.flatMap(ParseDate.init(iso:)).map(date) }

    private static func date(_ date: ParseDate) -> JSONValue {
        ["$date": ["$numberLong": .string(String(date.milliseconds))]]
    }

    // MARK: Schemas

    /// The document of a class in the collection `_SCHEMA`.
    package static func document(_ schema: ClassSchema) -> JSONObject {
        var document: JSONObject = ["_id": .string(schema.className)]
        var options = JSONObject()
        for (name, field) in schema.storedFields {
            guard let type = typeName(field.type) else { continue }
            document[name] = .string(type)
            var option = field.json
            option.removeAll { $0 == "type" || $0 == "targetClass" }
            if !option.isEmpty { options[name] = inner(.object(option)) }
        }
        var metadata: JSONObject = [:]
        metadata["class_permissions"] = schema.permissions.map(JSONValue.object)
        if !options.isEmpty { metadata["fields_options"] = .object(options) }
        if !metadata.isEmpty { document["_metadata"] = .object(metadata) }
        return document
    }

    private static func typeName(_ type: FieldType) -> String? {
        switch type {
        case .string: "string"
        case .number: "number"
        case .boolean: "boolean"
        case .date: "date"
        case .object: "object"
        case .array: "array"
        case .pointer(let target): "*" + target
        case .relation(let target): "relation<\(target)>"
        case .file: "file"
        case .geoPoint: "geopoint"
        case .bytes: "bytes"
        case .polygon: "polygon"
        case .acl: nil
        }
    }
}
