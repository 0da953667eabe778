/// The type of a field in the schema of a class.
package enum FieldType: Sendable, Hashable {
    case string, number, boolean, date, object, array
    /// A reference to an object of the named class.
    case pointer(String)
    /// References to any number of objects of the named class.
    case relation(String)
    case file, geoPoint, bytes, polygon, acl

    /// The type that a new field gets from its first value. The type is `.object` for an object without a known `__type`, and for
    /// a Pointer or Relation without a `className`.
    /// - Returns: nil for null, which fits every type.
    package init?(of value: JSONValue) {
        switch value {
        case .null: return nil
        case .bool: self = .boolean
        case .number: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object(let object): self = Self(ofTyped: object) ?? .object
        }
    }

    /// The type that the object's `__type` names; nil without a known `__type`, and for a Pointer or Relation without a
    /// `className`.
    private init?(ofTyped object: JSONObject) {
        guard let name = object["__type"]?.string else { return nil }
        switch name {
        case "Pointer", "Relation":
            guard let target = object["className"]?.string else { return nil }
            self = name == "Pointer" ? .pointer(target) : .relation(target)
        case "Date": self = .date
        case "File": self = .file
        case "GeoPoint": self = .geoPoint
        case "Bytes": self = .bytes
        case "Polygon": self = .polygon
        default: return nil
        }
    }

    /// Reads the type of a field of a `/schemas` response: `{"type":"Pointer","targetClass":"Country"}`.
    /// - Returns: nil for an unknown type, and for a Pointer or Relation without a `targetClass`.
    package init?(json: JSONObject) {
        guard let name = json["type"]?.string else { return nil }
        switch name {
        case "Pointer", "Relation":
            guard let target = json["targetClass"]?.string else { return nil }
            self = name == "Pointer" ? .pointer(target) : .relation(target)
        default:
            guard let plain = Self.plain.first(where: { $0.name == name }) else { return nil }
            self = plain
        }
    }

    /// A field of this type in the format of a `/schemas` response.
    package var json: JSONObject {
        switch self {
        case .pointer(let target), .relation(let target): ["type": .string(name), "targetClass": .string(target)]
        default: ["type": .string(name)]
        }
    }

    /// The type in the notation of Parse's error messages: `Number`, `Pointer<Country>`.
    package var description: String {
        switch self {
        case .pointer(let target), .relation(let target): "\(name)<\(target)>"
        default: name
        }
    }

    private static let plain: [FieldType] = [
        .string, .number, .boolean, .date, .object, .array, .file, .geoPoint, .bytes, .polygon, .acl,
    ]

    private var name: String {
        switch self {
        case .string: "String"
        case .number: "Number"
        case .boolean: "Boolean"
        case .date: "Date"
        case .object: "Object"
        case .array: "Array"
        case .pointer: "Pointer"
        case .relation: "Relation"
        case .file: "File"
        case .geoPoint: "GeoPoint"
        case .bytes: "Bytes"
        case .polygon: "Polygon"
        case .acl: "ACL"
        }
    }
}

extension ParseError {
    /// Parse Server's error for a value of the wrong type.
    package static func schemaMismatch(
        _ className: String, _ field: String, expected: FieldType, got: FieldType
    ) -> ParseError {
        ParseError(
            .incorrectType,
            "schema mismatch for \(className).\(field); expected \(expected.description) but got \(got.description)")
    }

    /// Parse Server's error for a write with two GeoPoint fields (`validateObject` of its `SchemaController`).
    static let secondGeoPoint = ParseError(
        .incorrectType, "there can only be one geopoint field in a class")

    /// Parse Server's error for a write that adds a second GeoPoint field to a class on MongoDB (`MongoSchemaCollection`). On
    /// PostgreSQL, Parse Server allows it.
    static let anotherGeoPoint = ParseError(
        .incorrectType, "MongoDB only supports one GeoPoint field in a class.")
}
