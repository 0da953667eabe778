/// A field of one object, with its value, for tests by constraints.
struct MatchedField {
    let path: FieldPath
    let value: JSONValue?
    /// Whether the field is one that every object has: `objectId`, which is compared as a string, or `createdAt` or
    /// `updatedAt`, which are compared as points in time. In a document of an aggregate pipeline, true only for a
    /// `createdAt` or `updatedAt` with the text of a date.
    let isKept: Bool

    /// Reads the field's value from an object.
    /// - Parameter isDocument: true for a document of an aggregate pipeline, whose fields can hold any type.
    init(_ path: FieldPath, in object: JSONObject, isDocument: Bool = false) {
        self.path = path
        value = path.value(in: object)
        guard path.segments.count == 1 else {
            isKept = false
            return
        }
        isKept =
            switch path.segments[0] {
            case "objectId": !isDocument
            case "createdAt", "updatedAt": !isDocument || value?.string.flatMap(ParseDate.init(iso:)) != nil
            default: false
            }
    }

    /// Makes the field from a value that the caller has read at the path, in a document of an aggregate pipeline.
    init(_ path: FieldPath, value: JSONValue?) {
        (self.path, self.value, isKept) = (path, value, false)
    }

    var exists: Bool { isKept || value.map { !$0.isNull } ?? false }

    /// The string value of the field, or the string elements of its array. A file counts as its name.
    var texts: [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements): elements.compactMap(\.string)
        default: fileName.map { [$0] } ?? []
        }
    }

    /// The name of the file in the field. As in Parse Server, strings are compared with this name. A file deeper inside
    /// a field counts as an object.
    private var fileName: String? {
        path.segments.count == 1 && !isKept ? value.flatMap(FileReference.init)?.name : nil
    }

    /// Whether the field is a relation.
    var isRelation: Bool {
        if case .relation = value.flatMap(FieldType.init(of:)) { true } else { false }
    }

    func equals(_ other: JSONValue) -> Bool {
        if isKept { return compares(with: other) { $0 == $1 } }
        if other.isNull { return !exists }
        guard let value else { return false }
        if let text = other.string, let fileName { return fileName == text }
        return Self.equal(value, other) || value.array?.contains { Self.equal($0, other) } == true
    }

    /// Whether a comparison of the field with `other` is true. In an array, it must be true for one element. Both
    /// values must have the same type, except in `isKept` fields.
    /// - Parameter relation: the comparison, for example "less than".
    func compares(with other: JSONValue, _ relation: (Rank, Rank) -> Bool) -> Bool {
        guard let value else { return false }
        if isKept {
            guard let mine = value.string else { return false }
            if path.segments[0] == "objectId" { return other.string.map { relation(.text(mine), .text($0)) } ?? false }
            let time = (other.object?["iso"]?.string ?? other.string).flatMap(ParseDate.init(iso:))
            guard let mine = ParseDate(iso: mine), let time else { return false }
            return relation(.number(Double(mine.milliseconds)), .number(Double(time.milliseconds)))
        }
        guard let other = Comparable(other) else { return false }
        if let fileName { return other.kind == "string" && relation(.text(fileName), other.rank) }
        for value in [value] + (value.array ?? []) {
            if let mine = Comparable(value), mine.kind == other.kind, relation(mine.rank, other.rank) { return true }
        }
        return false
    }

    /// Whether two values are equal. Of two Dates, Pointers, Files or Bytes, only the `identifyingMembers` are compared.
    static func equal(_ a: JSONValue, _ b: JSONValue) -> Bool {
        guard let b = b.object, let members = b["__type"]?.string.flatMap({ identifyingMembers[$0] }),
            members.allSatisfy({ b[$0]?.string != nil })
        else { return a == b }
        return a.object.map { a in (["__type"] + members).allSatisfy { a[$0] == b[$0] } } ?? false
    }

    private static let identifyingMembers = [
        "Date": ["iso"], "Pointer": ["className", "objectId"], "File": ["name"], "Bytes": ["base64"],
    ]

    /// A value with an order. Only values of the same `kind` can be compared.
    private struct Comparable {
        let kind: String
        let rank: Rank

        init?(_ value: JSONValue) {
            switch value {
            case .null, .array: return nil
            case .bool(let flag): (kind, rank) = ("bool", .number(flag ? 1 : 0))
            case .number(let number): (kind, rank) = ("number", .number(number.double))
            case .string(let text): (kind, rank) = ("string", .text(text))
            case .object(let object):
                switch object["__type"]?.string {
                case "Date":
                    guard let iso = object["iso"]?.string else { return nil }
                    (kind, rank) = ("date", .text(iso))
                case "Pointer":
                    guard let name = object["className"]?.string, let id = object["objectId"]?.string else {
                        return nil
                    }
                    (kind, rank) = ("pointer to \(name)", .text(id))
                default: return nil
                }
            }
        }
    }
}

/// The rank of a value in a sort order. `nothing` comes first, then numbers, then strings by their UTF-8 bytes.
package enum Rank: Sendable, Comparable {
    case nothing
    case number(Double)
    case text(String)

    package static func == (a: Rank, b: Rank) -> Bool { !(a < b) && !(b < a) }

    package static func < (a: Rank, b: Rank) -> Bool {
        switch (a, b) {
        case (.nothing, .nothing): false
        case (.nothing, _): true
        case (_, .nothing): false
        case (.number(let a), .number(let b)): a < b
        case (.number, .text): true
        case (.text, .number): false
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        }
    }
}
