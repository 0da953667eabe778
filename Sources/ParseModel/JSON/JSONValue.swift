/// A JSON value (RFC 8259). Numbers keep their notation, and objects keep the order of their keys. Strings are compared by their
/// bytes, and numbers by JavaScript's rules.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    package static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.isExactly(b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

extension JSONValue {
    /// True if JavaScript converts the value to `true` (ECMA-262 `ToBoolean`).
    package var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .number(let number): number.double != 0
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The value of a boolean; nil for every other type.
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The value of a number; nil for every other type.
    package var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The value of a number without a fraction; nil for every other value, and for a number too large for `JSONNumber.int`.
    package var int: Int? {
        if case .number(let value) = self { value.int } else { nil }
    }

    /// The value of a string; nil for every other type.
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements of an array; nil for every other type.
    package var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an object; nil for every other type.
    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    package static func int(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(value)) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral, ExpressibleByFloatLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(floatLiteral value: Double) { self = .number(JSONNumber(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
    package init(nilLiteral: ()) { self = .null }
}
