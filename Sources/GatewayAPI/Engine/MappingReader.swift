import ParseModel
import SyncModel

/// Parses the options `table` and `fields` of a class, which map the class to a table of the remote.
enum MappingReader {
    private static let tableBytesMax = 200
    /// The maximum number of declared fields of a class.
    static let fieldsMax = 1000

    /// The path of a table: `/tables/todo`. The path is absolute, without a query, a fragment, and empty or dot segments, so that
    /// no path leads outside of the remote's URL.
    /// - Returns: nil for null.
    /// - Throws: `ParseError` 102 (invalid query) for another value.
    static func table(_ value: JSONValue) throws(ParseError) -> String? {
        if value.isNull { return nil }
        guard let path = value.string, path.utf8.count <= tableBytesMax, path.utf8.first == UInt8(ascii: "/"),
            path.utf8.allSatisfy(isPathCharacter)
        else {
            throw ParseError(
                .invalidQuery,
                "table must be a path that begins with /, of at most \(tableBytesMax) characters of a URL path.")
        }
        for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let plain = segment.lowercased().replacing("%2e", with: ".")
            guard !["", ".", ".."].contains(plain) else {
                throw ParseError(.invalidQuery, "table must have no empty part, and no part . or ..")
            }
        }
        return path
    }

    /// The types of fields: `{"date": "Date", "country": {"type": "Pointer", "targetClass": "Country"}}`.
    /// - Returns: an empty dictionary for null.
    /// - Throws: `ParseError` 102 (invalid query) for another value.
    static func fields(_ value: JSONValue) throws(ParseError) -> [String: FieldType] {
        if value.isNull { return [:] }
        guard let object = value.object, object.count <= fieldsMax else {
            throw ParseError(.invalidQuery, "fields must be an object of at most \(fieldsMax) fields.")
        }
        var fields: [String: FieldType] = [:]
        for (name, json) in object {
            _ = try ClassOptionsChange.field(.string(name), "each key of fields")
            fields[name] = try type(json, of: name)
        }
        return fields
    }

    private static func type(_ value: JSONValue, of field: String) throws(ParseError) -> FieldType {
        let json = value.string.map { ["type": .string($0)] } ?? value.object ?? [:]
        guard let type = FieldType(json: json), ClassMapping.converts(type) else {
            throw ParseError(
                .invalidQuery,
                "the type of \(field) must be Date, File, Bytes, or a Pointer with a targetClass.")
        }
        if case .pointer(let target) = type, !ClassName.isValid(target) {
            throw ParseError(.invalidQuery, "the targetClass of \(field) must be the name of a class.")
        }
        return type
    }

    /// Whether the byte may stand in the path of a URL (RFC 3986, section 3.3).
    private static func isPathCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@%/".utf8.contains(byte)
        }
    }
}
