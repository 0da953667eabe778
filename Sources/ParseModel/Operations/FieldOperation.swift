/// An operation on one field: the value of a member in a request body.
package enum FieldOperation: Sendable, Hashable {
    /// Sets the field to a value. The value is never null, because null in a body means `.delete`.
    case set(JSONValue)
    /// Removes the field.
    case delete
    /// Adds the amount to the number in the field; an absent field counts as 0.
    case increment(JSONNumber)
    /// Appends elements to the array in the field; an absent field counts as an empty array.
    case add([JSONValue])
    /// Appends those of the given elements that the array in the field does not contain.
    case addUnique([JSONValue])
    /// Removes every element of the array in the field that equals one of the given elements.
    case remove([JSONValue])
    /// Adds members to a relation and removes members. The field's value holds only the class of the members.
    case relation(RelationChange)

    /// True if the new value of the field does not depend on the current value. False for AddUnique and Remove, although their
    /// repetition has no effect.
    package var isIdempotent: Bool {
        switch self {
        case .set, .delete, .relation: true
        case .increment, .add, .addUnique, .remove: false
        }
    }

    /// The schema type that the operation implies; nil for a delete.
    package var type: FieldType? {
        switch self {
        case .set(let value): FieldType(of: value)
        case .delete: nil
        case .increment: .number
        case .add, .addUnique, .remove: .array
        case .relation(let change): .relation(change.memberClass)
        }
    }

    /// Whether the answer to the write contains the field's new value.
    var isEchoed: Bool { !isIdempotent }

    var pointers: [Pointer] {
        if case .relation(let change) = self { change.pointers } else { values.flatMap(\.pointers) }
    }

    func replacingPointers(_ replacement: (Pointer) -> Pointer) -> FieldOperation {
        if case .relation(let change) = self { return .relation(change.replacingPointers(replacement)) }
        return mapValues { $0.replacingPointers(replacement) }
    }

    /// The value of a Set, or the elements of an Add, AddUnique or Remove; empty for every other operation.
    var values: [JSONValue] {
        switch self {
        case .set(let value): [value]
        case .add(let elements), .addUnique(let elements), .remove(let elements): elements
        case .delete, .increment, .relation: []
        }
    }

    /// Returns the operation with each element of ``values`` transformed.
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
