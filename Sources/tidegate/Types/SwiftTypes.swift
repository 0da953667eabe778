import ParseModel

/// Writes classes as `Codable` structures of Swift.
enum SwiftTypes {
    private static let head = #"""
        // Written by `tidegate types`. The types have the form of the REST API of Parse.
        import Foundation

        /// A class of Parse.
        public protocol ParseClass { static var className: String { get } }

        public struct ParseDate: Codable, Sendable {
            public var __type = "Date"
            public var iso: String
            /// Nil if `iso` is not a date.
            public var date: Date? { try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(iso) }
            public init(_ date: Date) { iso = Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date) }
        }

        public struct ParsePointer<Target: ParseClass>: Codable, Sendable {
            public var __type = "Pointer"
            public var className = Target.className
            public var objectId: String
            public init(_ objectId: String) { self.objectId = objectId }
        }

        public struct ParseRelation<Target: ParseClass>: Codable, Sendable {
            public var __type = "Relation"
            public var className = Target.className
            public init() {}
        }

        public struct ParseFile: Codable, Sendable {
            public var __type = "File"
            public var name: String
            public var url: String?
            public init(name: String, url: String? = nil) { (self.name, self.url) = (name, url) }
        }

        public struct ParseGeoPoint: Codable, Sendable {
            public var __type = "GeoPoint"
            public var latitude: Double
            public var longitude: Double
            public init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
        }

        public struct ParseBytes: Codable, Sendable {
            public var __type = "Bytes"
            public var base64: Data
            public init(_ data: Data) { base64 = data }
        }

        public struct ParsePolygon: Codable, Sendable {
            public var __type = "Polygon"
            public var coordinates: [[Double]]
            public init(_ coordinates: [[Double]]) { self.coordinates = coordinates }
        }

        public struct ParseRights: Codable, Sendable {
            public var read: Bool?
            public var write: Bool?
            public init(read: Bool? = nil, write: Bool? = nil) { (self.read, self.write) = (read, write) }
        }

        /// Any JSON value.
        public enum ParseValue: Codable, Sendable {
            case null, bool(Bool), number(Double), string(String), array([ParseValue]), object([String: ParseValue])

            public init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if value.decodeNil() { self = .null }
                else if let bool = try? value.decode(Bool.self) { self = .bool(bool) }
                else if let number = try? value.decode(Double.self) { self = .number(number) }
                else if let string = try? value.decode(String.self) { self = .string(string) }
                else if let array = try? value.decode([ParseValue].self) { self = .array(array) }
                else { self = .object(try value.decode([String: ParseValue].self)) }
            }

            public func encode(to encoder: any Encoder) throws {
                var value = encoder.singleValueContainer()
                switch self {
                case .null: try value.encodeNil()
                case .bool(let bool): try value.encode(bool)
                case .number(let number): try value.encode(number)
                case .string(let string): try value.encode(string)
                case .array(let array): try value.encode(array)
                case .object(let object): try value.encode(object)
                }
            }
        }
        """#

    /// The words that are no names even in backquotes, the names of types that the text uses, and those that a structure of
    /// the text has itself.
    private static let taken: Set<String> = [
        "ParseClass", "ParseDate", "ParsePointer", "ParseRelation", "ParseFile", "ParseGeoPoint", "ParseBytes",
        "ParsePolygon", "ParseRights", "ParseValue", "String", "Double", "Bool", "Data", "Date", "Codable", "Sendable",
        "Decoder", "Encoder", "Encodable", "Decodable", "CodingKey", "Optional", "Array", "Dictionary", "Foundation",
        "Swift", "Any", "Self", "Type", "Protocol", "Never", "Int", "Error", "Target", "self", "init", "_",
    ]
    private static let takenByFields: Set<String> = [
        "Self", "self", "init", "Type", "Protocol", "CodingKeys", "className", "_", "encode",
    ]
    private static let words: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout", "internal",
        "let", "open", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static", "struct",
        "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
        "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "as",
        "false", "is", "nil", "super", "throws", "true", "try", "await", "async", "some", "any",
    ]

    static func text(_ classes: [TypedClass]) -> String {
        var names = UniqueNames(taken: taken.union(words))
        for type in classes { _ = names.identifier(for: type.name) }
        let structures = classes.map { structure(of: $0, &names) }
        let others = TypedClass.targets(of: classes).filter { target in !classes.contains { $0.name == target } }
        let empty = others.map { name in
            "public enum \(names.identifier(for: name)): ParseClass { public static let className = \(quoted(name)) }"
        }
        return ([head] + structures + empty).joined(separator: "\n\n")
    }

    private static func structure(of type: TypedClass, _ names: inout UniqueNames) -> String {
        var properties = UniqueNames(taken: takenByFields)
        var (declarations, keys): ([String], [String]) = ([], [])
        for field in type.fields {
            let name = properties.identifier(for: field.name)
            let property = words.contains(name) ? "`\(name)`" : name
            declarations.append(
                "    public var \(property): \(self.type(of: field, &names))\(field.isRequired ? "" : "?")")
            keys.append("        case \(property)" + (name == field.name ? "" : " = \(quoted(field.name))"))
        }
        return
            ([
                "public struct \(names.identifier(for: type.name)): ParseClass, Codable, Sendable {",
                "    public static let className = \(quoted(type.name))",
            ] + declarations + ["", "    private enum CodingKeys: String, CodingKey {"] + keys + ["    }", "}"])
            .joined(separator: "\n")
    }

    private static func type(of field: TypedClass.Field, _ names: inout UniqueNames) -> String {
        switch field.type {
        case .string: "String"
        case .number: "Double"
        case .boolean: "Bool"
        case .date: TypedClass.isPlainDate(field.name) ? "String" : "ParseDate"
        case .object: "[String: ParseValue]"
        case .array: "[ParseValue]"
        case .pointer(let target): "ParsePointer<\(names.identifier(for: target))>"
        case .relation(let target): "ParseRelation<\(names.identifier(for: target))>"
        case .file: "ParseFile"
        case .geoPoint: "ParseGeoPoint"
        case .bytes: "ParseBytes"
        case .polygon: "ParsePolygon"
        case .acl: "[String: ParseRights]"
        case nil: "ParseValue"
        }
    }

    /// A string literal. The names of a remote may have any characters.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": "\(scalar)"
            default: "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return "\"\(escaped.joined())\""
    }
}
