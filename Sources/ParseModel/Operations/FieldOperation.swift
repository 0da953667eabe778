/// An operation on one field: the value of a member in a request body.
package enum FieldOperation: Sendable, Hashable {
    /// Sets the field to a value. The value is never null, because null in a body means `.delete`.
    case set(JSONValue)
    /// Removes the field.
    case delete
    /// Adds the amount to the number in the field; an absent field counts as 0.
    case increment(JSONNumber)
    /// Appends elements to the array in the field; an absent field counts as empty.
    case add([JSONValue])
    /// Appends only the elements that the array does not contain.
    case addUnique([JSONValue])
    /// Removes every element that equals one of the given elements.
    case remove([JSONValue])
    /// Adds members to a relation and removes members. The field's value holds only the class of the members.
    case relation(RelationChange)

    /// True if the new value of the field does not depend on the current value. Therefore, AddUnique and Remove do not count as
    /// idempotent.
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

    /// Whether the response to the write contains the field's new value.
    var isEchoed: Bool { !isIdempotent }

    var pointers: [Pointer] {
        if case .relation(let change) = self { change.pointers } else { values.flatMap(\.pointers) }
    }

    func replacingPointers(_ replacement: (Pointer) -> Pointer) -> FieldOperation {
        if case .relation(let change) = self { return .relation(change.replacingPointers(replacement)) }
        return mapValues { $0.replacingPointers(replacement) }
    }

    /// The values inside the operation.
    var values: [JSONValue] {
        switch self {
        case .set(let value): [value]
        case .add(let elements), .addUnique(let elements), .remove(let elements): elements
        case .delete, .increment, .relation: []
        }
    }

    /// Returns the operation with each of its values transformed.
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
