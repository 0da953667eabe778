import ParseModel

/// Writes classes as `TypedDict`s of Python 3.11. The functional syntax allows any field name.
enum PythonTypes {
    private static let head = #"""
        # Written by `tidegate types`. The types have the form of the REST API of Parse.
        from typing import Any, Literal, NotRequired, TypedDict

        ParseDate = TypedDict("ParseDate", {"__type": Literal["Date"], "iso": str})
        ParseFile = TypedDict("ParseFile", {"__type": Literal["File"], "name": str, "url": NotRequired[str]})
        ParseGeoPoint = TypedDict("ParseGeoPoint", {"__type": Literal["GeoPoint"], "latitude": float, "longitude": float})
        ParseBytes = TypedDict("ParseBytes", {"__type": Literal["Bytes"], "base64": str})
        ParsePolygon = TypedDict("ParsePolygon", {"__type": Literal["Polygon"], "coordinates": list[list[float]]})
        ParseRights = TypedDict("ParseRights", {"read": NotRequired[bool], "write": NotRequired[bool]})
        """#

    private static let taken: Set<String> = [
        "ParseDate", "ParseFile", "ParseGeoPoint", "ParseBytes", "ParsePolygon", "ParseRights", "Any", "Literal",
        "NotRequired", "TypedDict", "str", "float", "bool", "list", "dict", "int", "object", "False", "None", "True",
        "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
        "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass",
        "raise", "return", "try", "while", "with", "yield",
    ]

    static func text(_ classes: [TypedClass]) -> String {
        var names = UniqueNames(taken: taken)
        for type in classes { _ = names.identifier(for: type.name) }
        let fields = classes.flatMap(\.fields)
        var lines: [String] = []
        for target in TypedClass.targets(of: classes) {
            for (kind, type) in [("Pointer", FieldType.pointer(target)), ("Relation", .relation(target))]
            where fields.contains(where: { $0.type == type }) {
                let name = names.identifier(for: "\(target).\(kind)")
                let id = kind == "Pointer" ? #", "objectId": str"# : ""
                lines.append(
                    #"\#(name) = TypedDict("\#(name)", {"__type": Literal["\#(kind)"], "className": Literal[\#(quoted(target))]\#(id)})"#
                )
            }
        }
        let dictionaries = classes.map { type in
            let name = names.identifier(for: type.name)
            let members = type.fields.map { field in
                let type = self.type(of: field, &names)
                return "    \(quoted(field.name)): \(field.isRequired ? type : "NotRequired[\(type) | None]"),"
            }
            return (["\(name) = TypedDict(\"\(name)\", {"] + members + ["})"]).joined(separator: "\n")
        }
        return ([head] + (lines.isEmpty ? [] : [lines.joined(separator: "\n")]) + dictionaries).joined(
            separator: "\n\n")
    }

    private static func type(of field: TypedClass.Field, _ names: inout UniqueNames) -> String {
        switch field.type {
        case .string: "str"
        case .number: "float"
        case .boolean: "bool"
        case .date: TypedClass.isPlainDate(field.name) ? "str" : "ParseDate"
        case .object: "dict[str, Any]"
        case .array: "list[Any]"
        case .pointer(let target): names.identifier(for: "\(target).Pointer")
        case .relation(let target): names.identifier(for: "\(target).Relation")
        case .file: "ParseFile"
        case .geoPoint: "ParseGeoPoint"
        case .bytes: "ParseBytes"
        case .polygon: "ParsePolygon"
        case .acl: "dict[str, ParseRights]"
        case nil: "Any"
        }
    }

    private static func quoted(_ text: String) -> String { VisibleText.line(JSONValue.string(text).jsonText) }
}
