/// The operations of one write, by field, in the order of the request body. Equality ignores the order.
package struct FieldOperations: Sendable {
    private var list = KeyedList<FieldOperation>()

    package init() {}

    /// Reads stored operations in the form of ``json``. Does not validate them.
    package init(stored: JSONObject) {
        for (field, value) in stored { self[field] = FieldOperation(stored: value) }
    }

    package var isEmpty: Bool { list.members.isEmpty }

    /// The fields of the write, without duplicates.
    package var fields: [String] { list.members.map(\.key) }

    /// The fields with their operations, in order.
    package var members: [(key: String, value: FieldOperation)] { list.members }

    package subscript(field: String) -> FieldOperation? {
        get { list[field] }
        set { list[field] = newValue }
    }

    /// The operations by field, as in a request body.
    package var json: JSONObject {
        var json = JSONObject()
        for (field, operation) in members { json[field] = operation.json }
        return json
    }

    /// The relation changes of the write, in order.
    package var relationChanges: [(field: String, change: RelationChange)] {
        members.compactMap { field, operation in
            guard case .relation(let change) = operation else { return nil }
            return (field, change)
        }
    }

    /// The write reduced to its relation operations.
    package var onlyRelations: FieldOperations {
        var part = FieldOperations()
        for (field, change) in relationChanges { part[field] = .relation(change) }
        return part
    }

    /// All pointers inside the operations, in order.
    package var pointers: [Pointer] { members.flatMap(\.value.pointers) }

    /// The operations with each pointer replaced by the result of `replacement`.
    package func replacingPointers(_ replacement: (Pointer) -> Pointer) -> FieldOperations {
        var result = self
        result.list.replaceValues { $0.replacingPointers(replacement) }
        return result
    }

    /// All file values inside the operations, in order.
    package var files: [FileReference] { members.flatMap { $0.value.values.flatMap(\.files) } }

    /// The operations with each file value at the top level of a field replaced by the result of `replacement`. The value keeps only the
    /// members of a `FileReference`.
    package func replacingFieldFiles(_ replacement: (FileReference) -> FileReference) -> FieldOperations {
        var result = self
        for (field, operation) in members {
            guard case .set(let value) = operation, let file = FileReference(value) else { continue }
            result[field] = .set(replacement(file).json)
        }
        return result
    }

    /// The operations with each file value replaced by the result of `replacement`.
    package func replacingFiles(_ replacement: (FileReference) -> FileReference) -> FieldOperations {
        var result = self
        result.list.replaceValues { $0.mapValues { $0.replacingFiles(replacement) } }
        return result
    }

    /// Returns the fields of an object after the write.
    /// - Throws: the errors of `FieldOperation.apply`.
    package func apply(to fields: JSONObject, className: String) throws(ParseError) -> JSONObject {
        var result = fields
        if fields.isEmpty { result.reserveCapacity(members.count) }
        // Fields are removed together at the end, because each removal searches all fields.
        var removed: Set<String> = []
        for (field, operation) in members {
            let value = try operation.apply(to: fields[field], field: field, className: className)
            if let value { result[field] = value } else { removed.insert(field) }
        }
        if !removed.isEmpty { result.removeAll(where: removed.contains) }
        return result
    }

    /// One write with the effect of `previous` followed by this write; nil if the operations on a field cannot be merged.
    package func merged(after previous: FieldOperations) -> FieldOperations? {
        var result = previous
        for (field, operation) in members {
            if let earlier = previous[field] {
                guard let merged = operation.merged(after: earlier) else { return nil }
                result[field] = merged
            } else {
                result[field] = operation
            }
        }
        return result
    }

    /// The new values that the response to the write contains: the results of Increment, Add, AddUnique and Remove.
    /// - Parameter fields: the object's fields after `apply`.
    package func echoed(from fields: JSONObject) -> JSONObject {
        var echoed = JSONObject()
        for (field, operation) in members where operation.isEchoed { echoed[field] = fields[field] }
        return echoed
    }

    /// True if every operation is idempotent. The write can then safely be sent again if its outcome is unknown.
    package var isIdempotent: Bool { members.allSatisfy(\.value.isIdempotent) }
}

extension FieldOperations: Hashable {
    package static func == (a: FieldOperations, b: FieldOperations) -> Bool { a.list == b.list }
    package func hash(into hasher: inout Hasher) { hasher.combine(list) }
}

extension FieldOperations {
    /// Reads and validates a request body by the rules of Parse Server. Dates and numbers are converted to canonical
    /// form. Left out are `objectId`, `createdAt`, `updatedAt`, values of the type Relation, and an `ACL` that is false
    /// in JavaScript, because such an `ACL` changes nothing.
    /// - Throws: Parse error 105 (invalid field name), and the errors of `FieldOperation.init(json:field:className:)`.
    package init(body: JSONObject, className: String) throws(ParseError) {
        self.init()
        list.reserveCapacity(body.count)
        for (field, value) in body where field != "objectId" && (field != "ACL" || value.isTruthy) {
            try FieldName.validate(field)
            let operation = try FieldOperation(json: value, field: field, className: className)
            if field == "createdAt" || field == "updatedAt" {
                if let type = operation.type, type != .date {
                    throw .schemaMismatch(className, field, expected: .date, got: type)
                }
            } else if case .set = operation, case .relation = operation.type {
                continue
            } else {
                self[field] = operation
            }
        }
    }
}
