/// Checks of writes against the schema of a class, by the rules of Parse Server.
extension ClassSchema {
    /// The relation fields of the class with their values. The value of a relation field is the same in all objects: it
    /// names the class of the members, and does not contain the members.
    package var relations: JSONObject {
        var relations = JSONObject()
        let all = DefaultFields.of(className).map { ($0.name, $0.type) } + added.map { ($0.key, $0.value.type) }
        for case (let name, .relation(let memberClass)) in all.sorted(by: { $0.0 < $1.0 }) {
            relations[name] = RelationChange(memberClass: memberClass).fieldValue
        }
        return relations
    }

    /// Checks the relation values in a body against the schema.
    /// - Throws: Parse error 111 (incorrect type) for a relation value in a field of another type or member class.
    package func checkRelations(of body: WriteBody) throws(ParseError) {
        for (field, memberClass) in body.relations {
            guard let expected = self[field]?.type, expected != .relation(memberClass) else { continue }
            throw .schemaMismatch(className, field, expected: expected, got: .relation(memberClass))
        }
    }

    /// Checks the types of operations against the schema.
    /// - Throws: Parse error 111 (incorrect type) if an operation does not fit the type of its field.
    package func checkTypes(of operations: FieldOperations) throws(ParseError) {
        for field in operations.fields {
            // The format of an ACL is checked when the body is read.
            guard field != "ACL", let got = operations[field]?.type, let expected = self[field]?.type, got != expected
            else { continue }
            throw .schemaMismatch(className, field, expected: expected, got: got)
        }
    }

    /// Checks that a write does not add a second GeoPoint field to the class. MongoDB allows only one.
    /// - Throws: Parse error 111 (incorrect type) for a second GeoPoint field.
    package func checkPlaces(in operations: FieldOperations) throws(ParseError) {
        guard operations.fields.contains(where: { operations[$0]?.type == .geoPoint && self[$0] == nil }),
            added.values.contains(where: { $0.type == .geoPoint })
        else { return }
        throw .anotherGeoPoint
    }

    /// Checks that the write leaves no required field empty.
    /// - Parameter creates: true for a create, which must set every required field that has no default value.
    /// - Throws: Parse error 142 (validation failed) if a required field is missing, deleted or emptied.
    package func checkRequired(_ body: WriteBody, creates: Bool) throws(ParseError) {
        for (name, field) in added.sorted(by: { $0.key < $1.key }) where field.isRequired == true {
            let isTaken = body.deleted.contains(name) || body.emptied.contains(name)
            let isMissing = creates && body.operations[name] == nil && !body.nested.contains { $0.field == name }
            guard isTaken || isMissing else { continue }
            // In a create, a default value replaces an absent or deleted field, but not an explicit null or empty
            // string.
            if creates, field.defaultValue != nil, !body.emptied.contains(name) { continue }
            throw ParseError(.validationFailed, "\(name) is required")
        }
    }

    /// The default values of a create, for the fields that the body leaves out or deletes.
    package func defaults(for body: WriteBody) -> JSONObject {
        var defaults = JSONObject()
        for (name, field) in added.sorted(by: { $0.key < $1.key }) {
            guard let value = field.defaultValue, !body.emptied.contains(name) else { continue }
            guard body.operations[name] == nil || body.deleted.contains(name),
                !body.nested.contains(where: { $0.field == name })
            else { continue }
            defaults[name] = (try? value.asFieldValue()) ?? value
        }
        return defaults
    }
}
