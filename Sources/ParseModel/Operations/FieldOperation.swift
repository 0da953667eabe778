/// One thing done to one field: what a request's body says beside the field's name.
package enum FieldOperation: Sendable, Hashable {
    /// The field gets a value; never null, for a null in a body means `.delete`.
    case set(JSONValue)
    /// The field goes.
    case delete
    /// The amount is added to the number that the field holds, or to 0.
    case increment(JSONNumber)
    /// Elements are appended to the array that the field holds, or to an empty one.
    case add([JSONValue])
    /// As `add`, without elements that are already there.
    case addUnique([JSONValue])
    /// Every element equal to one of these goes.
    case remove([JSONValue])
    /// Objects join a relation, or leave it. The field tells the class of its members only.
    case relation(RelationChange)

    /// Whether doing it twice is the same as doing it once, whatever others do in between.
    package var isIdempotent: Bool {
        switch self {
        case .set, .delete, .relation: true
        case .increment, .add, .addUnique, .remove: false
        }
    }

    /// The schema type that the operation implies for its field; nil for a delete.
    package var type: FieldType? {
        switch self {
        case .set(let value): FieldType(of: value)
        case .delete: nil
        case .increment: .number
        case .add, .addUnique, .remove: .array
        case .relation(let change): .relation(change.memberClass)
        }
    }

    /// Whether an answer repeats the value that the operation resulted in.
    var isEchoed: Bool { !isIdempotent }

    var pointers: [Pointer] {
        if case .relation(let change) = self { change.pointers } else { values.flatMap(\.pointers) }
    }

    func replacingPointers(_ replacement: (Pointer) -> Pointer) -> FieldOperation {
        if case .relation(let change) = self { return .relation(change.replacingPointers(replacement)) }
        return mapValues { $0.replacingPointers(replacement) }
    }

    /// The values that the operation brings with it.
    var values: [JSONValue] {
        switch self {
        case .set(let value): [value]
        case .add(let elements), .addUnique(let elements), .remove(let elements): elements
        case .delete, .increment, .relation: []
        }
    }

    /// The operation with other values in place of those that it brings with it.
    func mapValues(_ transform: (JSONValue) -> JSONValue) -> FieldOperation {
        switch self {
        case .set(let value): .set(transform(value))
        case .add(let elements): .add(elements.map(transform))
        case .addUnique(let elements): .addUnique(elements.map(transform))
        case .remove(let elements): .remove(elements.map(transform))
        case .delete, .increment, .relation: self
        }
    }
}
