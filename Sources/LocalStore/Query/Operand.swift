import GRDB
import ParseModel

/// A value that a query compares with a field, classified by the SQL of the comparison.
enum Operand {
    case null
    case string(String)
    case number(any SQLiteBindable, JSONNumber)
    case bool(Bool)
    /// A value with a `__type`, such as a pointer: the `__type`, and the members that are compared.
    case member(String, [(key: String, value: String)])
    case array, object

    /// The kind of a value in a list such as `$in`. All compared values of one kind, as strings or numbers, can be
    /// bound as one SQL list.
    enum ListKind: Equatable {
        case string, number
        /// Values with the same `__type` that differ only in the member `last`. The SQL list contains the values of
        /// this member.
        case member(String, [Member], last: String)
    }

    struct Member: Equatable {
        let key: String
        let value: String
    }

    /// The kind of the SQL list that can contain the value, and the string or number in this list. Nil for a value that
    /// is compared alone.
    var listed: (ListKind, JSONValue)? {
        switch self {
        case .string(let text): return (.string, .string(text))
        case .number(_, let number): return (.number, .number(number))
        case .member(let type, let members):
            guard let last = members.last else { return nil }
            let others = members.dropLast().map { Member(key: $0.key, value: $0.value) }
            return (.member(type, others, last: last.key), .string(last.value))
        case .null, .bool, .array, .object: return nil
        }
    }

    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .string(let text): self = .string(text)
        case .bool(let flag): self = .bool(flag)
        case .number(let number):
            let bound: any SQLiteBindable = if let integer = Int64(number.text) { integer } else { number.double }
            self = .number(bound, number)
        case .array: self = .array
        case .object(let object):
            let members: [String]
            switch object["__type"]?.string {
            case "Date": members = ["iso"]
            // A pointer without a class matches any class.
            case "Pointer": members = object["className"] == nil ? ["objectId"] : ["className", "objectId"]
            case "File": members = ["name"]
            case "Bytes": members = ["base64"]
            default:
                self = .object
                return
            }
            let values = members.compactMap { key in object[key]?.string.map { (key: key, value: $0) } }
            self = values.count == members.count ? .member(object["__type"]?.string ?? "", values) : .object
        }
    }

    static func date(_ value: JSONValue) -> ParseDate? {
        (value.object?["iso"]?.string ?? value.string).flatMap(ParseDate.init(iso:))
    }
}
