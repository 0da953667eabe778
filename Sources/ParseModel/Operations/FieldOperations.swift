/// The operations of one write by field, in the order of its body. Equality does not look at the order.
package struct FieldOperations: Sendable {
    /// The fields that the write touches, each once.
    package private(set) var fields: [String] = []
    private var operations: [String: FieldOperation] = [:]

    package init() {}

    /// Reads what `json` wrote, and trusts it.
    package init(stored: JSONObject) {
        for (field, value) in stored { self[field] = FieldOperation(stored: value) }
    }

    package var isEmpty: Bool { fields.isEmpty }

    package subscript(field: String) -> FieldOperation? {
        get { operations[field] }
        set {
            let old = operations[field]
            operations[field] = newValue
            switch (old, newValue) {
            case (nil, .some): fields.append(field)
            case (.some, nil): fields.removeAll { $0 == field }
            default: break
            }
        }
    }

    /// Field → wire form, in order.
    package var json: JSONObject {
        var json = JSONObject()
        for (field, operation) in entries { json[field] = operation.json }
        return json
    }

    /// What the write does to relations, in order.
    package var relationChanges: [(field: String, change: RelationChange)] {
        entries.compactMap { field, operation in
            guard case .relation(let change) = operation else { return nil }
            return (field, change)
        }
    }

    /// The part of the write that changes relations.
    package var onlyRelations: FieldOperations {
        var part = FieldOperations()
        for (field, change) in relationChanges { part[field] = .relation(change) }
        return part
    }

    /// Every pointer inside the operations, in reading order.
    package var pointers: [Pointer] { entries.flatMap(\.operation.pointers) }

    /// The operations with each pointer inside them replaced by what `replacement` makes of it.
    package func replacingPointers(_ replacement: (Pointer) -> Pointer) -> FieldOperations {
        var result = self
        for (field, operation) in entries { result.operations[field] = operation.replacingPointers(replacement) }
        return result
    }

    /// Every file inside the operations, in reading order.
    package var files: [FileReference] { entries.flatMap { $0.operation.values.flatMap(\.files) } }

    /// The operations with each file inside them replaced by what `replacement` makes of it.
    package func replacingFiles(_ replacement: (FileReference) -> FileReference) -> FieldOperations {
        var result = self
        for (field, operation) in entries {
            result.operations[field] = operation.mapValues { $0.replacingFiles(replacement) }
        }
        return result
    }

    /// The fields of an object after the write.
    /// - Throws: 111 where an operation does not fit the value that its field holds.
    package func apply(to fields: JSONObject, className: String) throws(ParseError) -> JSONObject {
        var result = fields
        // Each removal by itself would look at all fields.
        var gone: Set<String> = []
        for (field, operation) in entries {
            let value = try operation.apply(to: fields[field], field: field, className: className)
            if let value { result[field] = value } else { gone.insert(field) }
        }
        if !gone.isEmpty { result.removeAll(where: gone.contains) }
        return result
    }

    /// One write with the effect of `previous` and then this one; nil where any field's operations do not merge.
    package func merged(after previous: FieldOperations) -> FieldOperations? {
        var result = previous
        for (field, operation) in entries {
            if let earlier = previous[field] {
                guard let merged = operation.merged(after: earlier) else { return nil }
                result[field] = merged
            } else {
                result[field] = operation
            }
        }
        return result
    }

    /// Of the fields after `apply`, the values that an answer repeats: results of Increment, Add, AddUnique and Remove.
    package func echoed(from fields: JSONObject) -> JSONObject {
        var echoed = JSONObject()
        for (field, operation) in entries where operation.isEchoed { echoed[field] = fields[field] }
        return echoed
    }

    /// Whether the write may be sent again without a look at what became of it the first time.
    package var isIdempotent: Bool { operations.values.allSatisfy(\.isIdempotent) }

    private var entries: [(field: String, operation: FieldOperation)] {
        fields.compactMap { field in operations[field].map { (field, $0) } }
    }
}

extension FieldOperations: Hashable {
    package static func == (a: FieldOperations, b: FieldOperations) -> Bool { a.operations == b.operations }
    package func hash(into hasher: inout Hasher) { hasher.combine(operations) }
}
