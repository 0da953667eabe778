/// A column of a CSV file that is imported.
package struct CSVColumn: Sendable, Hashable {
    /// The field, or a path inside of a field, such as `address.city`.
    package let path: [String]
    /// The type of the cells; nil for the type that their texts show.
    package let type: FieldType?

    package var name: String { path.joined(separator: ".") }

    /// Reads the head of a column, such as `due:Date` or `project:Pointer<Project>`.
    /// - Throws: `ParseError` 105 (invalid field name) for an empty name or step of a path, and for an unknown type.
    package init(head: String) throws(ParseError) {
        let parts = CSVText.undefused(head).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        try self.init(
            name: String(parts.first ?? ""), type: parts.count > 1 ? try Self.type(String(parts[1])) : nil)
    }

    package init(name: String, type: FieldType?) throws(ParseError) {
        path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.allSatisfy({ !$0.isEmpty }), path.count <= 16 else {
            throw ParseError(.invalidFieldName, "A column has the invalid name \"\(name)\".")
        }
        self.type = type
    }

    /// Reads the name of a type: `Date`, `Pointer<Project>`.
    /// - Throws: `ParseError` 105 (invalid field name) for an unknown type.
    package static func type(_ name: String) throws(ParseError) -> FieldType {
        var json: JSONObject = ["type": .string(name)]
        if let start = name.firstIndex(of: "<"), name.hasSuffix(">") {
            json = [
                "type": .string(String(name[..<start])),
                "targetClass": .string(String(name[name.index(after: start)...].dropLast())),
            ]
        }
        guard let type = FieldType(json: json) else {
            throw ParseError(.invalidFieldName, "\"\(name)\" is no type of a field.")
        }
        return type
    }

    /// The value of a cell.
    /// - Returns: nil for no value.
    /// - Throws: `ParseError` 111 (incorrect type) if the text is no value of the type.
    package func value(of cell: CSVReader.Cell) throws(ParseError) -> JSONValue? {
        if cell.text.isEmpty, !cell.isQuoted || type != .string { return nil }
        guard let value = Self.value(of: cell.text, type) else {
            throw ParseError(
                .incorrectType, "\(name): \"\(cell.text.prefix(60))\" is no \(type?.description ?? "value").")
        }
        return value
    }

    /// The value that a text has as a value of a type.
    /// - Parameter type: nil for the type that the text shows.
    /// - Returns: nil if the text is no value of the type.
    package static func value(of text: String, _ type: FieldType?) -> JSONValue? {
        switch type {
        case nil: return untyped(text)
        case .string: return .string(CSVText.undefused(text))
        case .number: return try? JSONReader.read(text).number.map(JSONValue.number)
        case .boolean: return ["true": true, "false": false, "1": true, "0": false][text.lowercased()]
        case .date: return date(text)
        case .pointer(let target):
            return Pointer(className: target, objectId: CSVText.undefused(text)).json
        case .relation(let target): return relation(text, target)
        case .array: return json(text).flatMap { $0.array.map(JSONValue.array) }
        case .object, .acl, .file, .geoPoint, .bytes, .polygon:
            return json(text).flatMap { value in
                guard let object = value.object else { return nil }
                guard type != .object, type != .acl else { return .object(object) }
                guard FieldType(of: value) == type else { return nil }
                return value
            }
        }
    }

    private static func json(_ text: String) -> JSONValue? { try? JSONReader.read(text) }

    private static func date(_ text: String) -> JSONValue? {
        ParseDate(iso: text).map { ["__type": "Date", "iso": .string($0.iso)] }
    }

    private static func relation(_ text: String, _ target: String) -> JSONValue? {
        guard let value = json(text), FieldType(of: value) == .relation(target) else { return nil }
        return value
    }

    /// A text without a type: a number or a truth value as such, everything else as a text.
    private static func untyped(_ text: String) -> JSONValue {
        if text == "true" || text == "false" { return .bool(text == "true") }
        // A number with leading zeros, such as a postcode, is no JSON number and stays a text.
        if let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            text.utf8.count < 16,
            let value = json(text), case .number = value
        {
            return value
        }
        return .string(CSVText.undefused(text))
    }
}
