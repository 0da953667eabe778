import ParseModel

/// A value in a filter or an order.
enum Cell: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    /// Microseconds since 1970.
    case time(Int64)

    init(_ value: JSONValue?) {
        switch value {
        case .bool(let flag): self = .bool(flag)
        case .number(let number): self = .number(number.double)
        case .string(let text): self = .text(text)
        case nil, .null, .array, .object: self = .null
        }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The value as a condition, as in SQLite; nil for null.
    var truth: Bool? {
        switch self {
        case .null: nil
        default: double != 0
        }
    }

    /// The value as a number, as in SQLite; nil for null.
    var double: Double? {
        switch self {
        case .null: nil
        case .bool(let flag): flag ? 1 : 0
        case .number(let number): number
        case .text(let text): Double(text) ?? 0
        case .time(let time): Double(time)
        }
    }

    /// The value as a text, as in SQLite; nil for null.
    var text: String? {
        switch self {
        case .null: nil
        case .bool(let flag): flag ? "1" : "0"
        case .number(let number): number.isFinite ? JSONNumber(number).text : ""
        case .text(let text): text
        case .time(let time): WireTime.text(time)
        }
    }

    /// Compares two values. A number and a text with a number compare as numbers. Other texts are greater than numbers, and
    /// compare by their bytes.
    /// - Returns: a negative number, 0 or a positive number; nil if a value is null.
    static func compare(_ a: Cell, _ b: Cell) -> Int? {
        switch (a, b) {
        case (.null, _), (_, .null): return nil
        case (.time(let a), .time(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.text(let a), .text(let b)): return order(a, b)
        case (.time(let a), .text(let b)): return order(WireTime.text(a), b)
        case (.text(let a), .time(let b)): return order(a, WireTime.text(b))
        case (.text(let a), _):
            guard let number = Double(a) else { return 1 }
            return compare(.number(number), b)
        case (_, .text): return compare(b, a).map { -$0 }
        default:
            guard let a = a.double, let b = b.double else { return nil }
            return a < b ? -1 : a > b ? 1 : 0
        }
    }

    /// The order of two values in a sorted list: null is the least.
    static func sortOrder(_ a: Cell, _ b: Cell) -> Int {
        compare(a, b) ?? (a.isNull ? (b.isNull ? 0 : -1) : 1)
    }

    private static func order(_ a: String, _ b: String) -> Int {
        if a.isExactly(b) { return 0 }
        return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
    }
}
