import ParseModel

/// Writes classes as interfaces of TypeScript.
enum TypeScriptTypes {
    private static let head = #"""
        // Written by `tidegate types`. The types have the form of the REST API of Parse.

        export interface ParseDate { __type: "Date"; iso: string }
        export interface ParsePointer<Class extends string> { __type: "Pointer"; className: Class; objectId: string }
        export interface ParseRelation<Class extends string> { __type: "Relation"; className: Class }
        export interface ParseFile { __type: "File"; name: string; url?: string }
        export interface ParseGeoPoint { __type: "GeoPoint"; latitude: number; longitude: number }
        export interface ParseBytes { __type: "Bytes"; base64: string }
        export interface ParsePolygon { __type: "Polygon"; coordinates: [number, number][] }
        export type ParseACL = { [entity: string]: { read?: boolean; write?: boolean } };
        export type ParseValue = null | boolean | number | string | ParseValue[] | { [name: string]: ParseValue };
        """#

    /// The words and names that no interface may have.
    private static let taken: Set<String> = [
        "ParseDate", "ParsePointer", "ParseRelation", "ParseFile", "ParseGeoPoint", "ParseBytes", "ParsePolygon",
        "ParseACL", "ParseValue", "ParseClasses", "any", "unknown", "never", "void", "null", "undefined", "boolean",
        "number", "string", "symbol", "bigint", "object", "abstract", "as", "async", "await", "break", "case", "catch",
        "class", "const", "continue", "debugger", "declare", "default", "delete", "do", "else", "enum", "export",
        "extends", "false", "finally", "for", "from", "function", "get", "if", "implements", "import", "in", "infer",
        "instanceof", "interface", "is", "keyof", "let", "module", "namespace", "new", "of", "package", "private",
        "protected", "public", "readonly", "return", "set", "static", "super", "switch", "this", "throw", "true", "try",
        "type", "typeof", "unique", "var", "while", "with", "yield",
    ]

    static func text(_ classes: [TypedClass]) -> String {
        var names = UniqueNames(taken: taken)
        let interfaces = classes.map { interface(of: $0, names.identifier(for: $0.name)) }
        let map = classes.map { "  \(key($0.name)): \(names.identifier(for: $0.name));" }
        let all = (["/** The classes by their names. */", "export interface ParseClasses {"] + map + ["}"])
        return ([head] + interfaces + [all.joined(separator: "\n")]).joined(separator: "\n\n")
    }

    private static func interface(of type: TypedClass, _ name: String) -> String {
        let fields = type.fields.map { field in
            let isOptional = !field.isRequired
            return
                "  \(key(field.name))\(isOptional ? "?" : ""): \(self.type(of: field))\(isOptional ? " | null" : "");"
        }
        return (["export interface \(name) {"] + fields + ["}"]).joined(separator: "\n")
    }

    private static func type(of field: TypedClass.Field) -> String {
        switch field.type {
        case .string: "string"
        case .number: "number"
        case .boolean: "boolean"
        case .date: TypedClass.isPlainDate(field.name) ? "string" : "ParseDate"
        case .object: "{ [name: string]: ParseValue }"
        case .array: "ParseValue[]"
        case .pointer(let target): "ParsePointer<\(quoted(target))>"
        case .relation(let target): "ParseRelation<\(quoted(target))>"
        case .file: "ParseFile"
        case .geoPoint: "ParseGeoPoint"
        case .bytes: "ParseBytes"
        case .polygon: "ParsePolygon"
        case .acl: "ParseACL"
        case nil: "ParseValue"
        }
    }

    /// A name as a member of an interface, where also words of the language are names.
    private static func key(_ name: String) -> String {
        let isIdentifier =
            name.utf8.first.map { $0 < 0x30 || $0 > 0x39 } == true
            && name.utf8.allSatisfy {
                $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
        return isIdentifier ? name : quoted(name)
    }

    private static func quoted(_ text: String) -> String { VisibleText.line(JSONValue.string(text).jsonText) }
}
