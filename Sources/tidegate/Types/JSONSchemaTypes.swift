import ParseModel

/// Writes classes as a JSON Schema (draft 2020-12), with a definition for each class. Of one class, the schema itself
/// describes the objects.
enum JSONSchemaTypes {
    static func text(_ classes: [TypedClass]) -> String {
        var definitions = JSONObject()
        for type in classes { definitions[type.name] = .object(definition(of: type)) }
        var schema: JSONObject = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        if classes.count == 1, let name = classes.first?.name { schema["$ref"] = .string(reference(to: name)) }
        schema["$defs"] = .object(definitions)
        return schema.jsonText
    }

    private static func definition(of type: TypedClass) -> JSONObject {
        var properties = JSONObject()
        for field in type.fields {
            let described = JSONValue.object(self.type(of: field))
            properties[field.name] = field.isRequired ? described : ["anyOf": [described, ["type": "null"]]]
        }
        let required = type.fields.filter(\.isRequired).map { JSONValue.string($0.name) }
        return [
            "type": "object", "title": .string(type.name), "properties": .object(properties),
            "required": .array(required),
        ]
    }

    private static func type(of field: TypedClass.Field) -> JSONObject {
        let rights: JSONValue = [
            "type": "object", "properties": ["read": ["type": "boolean"], "write": ["type": "boolean"]],
        ]
        return switch field.type {
        case .string: ["type": "string"]
        case .number: ["type": "number"]
        case .boolean: ["type": "boolean"]
        case .date where TypedClass.isPlainDate(field.name): ["type": "string", "format": "date-time"]
        case .date: typed("Date", ["iso": ["type": "string", "format": "date-time"]])
        case .object: ["type": "object"]
        case .array: ["type": "array"]
        case .pointer(let target):
            typed("Pointer", ["className": ["const": .string(target)], "objectId": ["type": "string"]])
        case .relation(let target): typed("Relation", ["className": ["const": .string(target)]])
        case .file: typed("File", ["name": ["type": "string"]])
        case .geoPoint: typed("GeoPoint", ["latitude": ["type": "number"], "longitude": ["type": "number"]])
        case .bytes: typed("Bytes", ["base64": ["type": "string", "contentEncoding": "base64"]])
        case .polygon:
            typed(
                "Polygon", ["coordinates": ["type": "array", "items": ["type": "array", "items": ["type": "number"]]]])
        case .acl: ["type": "object", "additionalProperties": rights]
        case nil: [:]
        }
    }

    /// The schema of an object with `__type` and further members, which are all required.
    private static func typed(_ name: String, _ members: JSONObject) -> JSONObject {
        var properties: JSONObject = ["__type": ["const": .string(name)]]
        for (member, value) in members { properties[member] = value }
        return [
            "type": "object", "properties": .object(properties),
            "required": .array(properties.keys.map(JSONValue.string)),
        ]
    }

    /// The reference to a definition: a URI fragment with a JSON pointer.
    private static func reference(to name: String) -> String {
        let pointer = name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
        return "#/$defs/" + PercentCoding.encodedPathSegment(pointer)
    }
}
