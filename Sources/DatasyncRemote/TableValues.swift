import ParseModel
import SyncModel

/// Converts field values to column values and back. A column stores a text, a number or a boolean. Has no side effects.
struct TableValues {
    var mapping: ClassMapping

    // MARK: To the table

    /// The column value of a field value.
    /// - Throws: `ParseError` 111 (incorrect type) for a value that no column can store, or 105 for a reserved name.
    func column(_ value: JSONValue, of field: String) throws(ParseError) -> JSONValue {
        guard Columns.isField(field) else {
            throw ParseError(
                .invalidFieldName, "\(field) cannot be written: the remote's tables reserve or forbid this column name."
            )
        }
        switch value {
        case .null, .bool, .string: return value
        case .number(let number):
            guard number.isFinite else { throw refusal(of: field, "a number beyond the range of a double") }
            return value
        case .array: throw refusal(of: field, "an array")
        case .object(let object): return .string(try text(of: value, object, field))
        }
    }

    private func text(of value: JSONValue, _ object: JSONObject, _ field: String) throws(ParseError) -> String {
        switch FieldType(of: value) {
        case .date:
            guard let date = ParseDate(value) else { throw refusal(of: field, "an invalid date") }
            return date.iso
        case .pointer(let target):
            guard case .pointer(target) = mapping.fields[field], let id = object["objectId"]?.string else {
                throw undeclared(field, "a Pointer to \(target)", #"{"type":"Pointer","targetClass":"\#(target)"}"#)
            }
            return id
        case .file:
            guard mapping.fields[field] == .file else { throw undeclared(field, "a File", #""File""#) }
            guard let url = object["url"]?.string else {
                throw ParseError(.incorrectType, "\(field) is an uploaded File. The remote's tables keep no files.")
            }
            return url
        case .bytes:
            guard mapping.fields[field] == .bytes, let base64 = object["base64"]?.string else {
                throw undeclared(field, "Bytes", #""Bytes""#)
            }
            return base64
        case .geoPoint: throw refusal(of: field, "a GeoPoint")
        case .relation: throw refusal(of: field, "a relation")
        case .polygon: throw refusal(of: field, "a Polygon")
        default: throw refusal(of: field, "an object")
        }
    }

    private func refusal(of field: String, _ kind: String) -> ParseError {
        ParseError(
            .incorrectType,
            "\(field) is \(kind). The remote's tables store only text, numbers, booleans and dates.")
    }

    private func undeclared(_ field: String, _ kind: String, _ type: String) -> ParseError {
        ParseError(
            .incorrectType,
            "\(field) is \(kind). The remote's tables store it as text only if the class option `fields` declares it: "
                + #"{"fields":{"\#(field)":\#(type)}}"#)
    }

    // MARK: From the table

    /// The fields of a row, without the columns of the protocol and the columns that cannot be fields of a Parse
    /// object.
    func fields(of row: JSONObject) -> JSONObject {
        JSONObject(row.compactMap { name, value in Columns.isField(name) ? (name, self.value(value, of: name)) : nil })
    }

    /// The field value of a column value. A text that does not fit the declared type stays a text.
    func value(_ column: JSONValue, of field: String) -> JSONValue {
        guard let type = mapping.fields[field], let text = column.string else { return column }
        switch type {
        case .date: return ParseDate(iso: text)?.json ?? column
        case .pointer(let target):
            return text.isEmpty ? column : Pointer(className: target, objectId: text).json
        case .file: return TableFile.file(at: text)?.json ?? column
        case .bytes: return ["__type": "Bytes", "base64": .string(text)]
        default: return column
        }
    }
}
