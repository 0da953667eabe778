import ParseModel

/// The conversions between values on the wire and stored values.
enum ColumnValue {
    /// The form in which SQLite stores a value that the Node server writes. SQLite checks no types: a column converts the values
    /// that it can, and keeps the others (https://www.sqlite.org/datatype3.html). The driver writes an object as a text.
    static func stored(_ value: JSONValue, as type: TablesServer.ColumnType) -> JSONValue {
        switch (type, value) {
        case (_, .null): .null
        case (_, .array), (_, .object): "[object Object]"
        case (.text, .number(let number)), (.date, .number(let number)): .string(number.canonical.text)
        case (.text, .bool(let flag)), (.date, .bool(let flag)): flag ? "1" : "0"
        case (.number, .bool(let flag)): flag ? 1 : 0
        case (.number, .string(let text)): Double(text).flatMap(finite) ?? value
        case (.number, .number(let number)): .number(number.canonical)
        default: value
        }
    }

    /// The form in which the server returns a stored value.
    static func shown(_ value: JSONValue, as type: TablesServer.ColumnType) -> JSONValue {
        switch (type, value) {
        case (.date, .string(let text)): WireTime.javaScriptDate(text).map(JSONValue.string) ?? .null
        case (.bool, .number), (.bool, .string): .bool(value.isTruthy)
        case (_, .number(let number)) where !number.isFinite: .null
        default: value
        }
    }

    /// The type of a column that the Node server learns from a value: a date is a text.
    /// - Returns: nil for null, an array and an object.
    static func learnedType(of value: JSONValue) -> TablesServer.ColumnType? {
        switch value {
        case .string: .text
        case .number: .number
        case .bool: .bool
        case .null, .array, .object: nil
        }
    }

    /// The stored form of a value that a Community server has read into a property of the type.
    /// - Returns: nil for a value of another type.
    static func checked(_ value: JSONValue, as type: TablesServer.ColumnType) -> JSONValue? {
        switch (type, value) {
        case (_, .null), (.text, .string), (.number, .number), (.bool, .bool): value
        case (.date, .string(let text)): WireTime.microseconds(text).map { .string(WireTime.text($0)) }
        default: nil
        }
    }

    private static func finite(_ number: Double) -> JSONValue? { number.isFinite ? .number(JSONNumber(number)) : nil }
}
