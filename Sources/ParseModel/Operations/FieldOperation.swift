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
        switch self {
        case .set(let value): value.pointers
        case .delete, .increment: []
        case .add(let elements), .addUnique(let elements), .remove(let elements): elements.flatMap(\.pointers)
        case .relation(let change): change.pointers
        }
    }

    func replacingPointers(_ replacement: (Pointer) -> Pointer) -> FieldOperation {
        func replaced(_ elements: [JSONValue]) -> [JSONValue] { elements.map { $0.replacingPointers(replacement) } }
        return switch self {
        case .set(let value): .set(value.replacingPointers(replacement))
        case .delete, .increment: self
        case .add(let elements): .add(replaced(elements))
        case .addUnique(let elements): .addUnique(replaced(elements))
        case .remove(let elements): .remove(replaced(elements))
        case .relation(let change): .relation(change.replacingPointers(replacement))
        }
    }
}
