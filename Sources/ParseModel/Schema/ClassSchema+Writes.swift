/// Checks of writes against the schema of a class, by the rules of Parse Server.
extension ClassSchema {
    /// The relation fields of the class with their values. The value of a relation field is the same in all objects: it
    /// names the class of the members, and does not contain the members.
    package var relations: JSONObject {
        var classes: [(field: String, memberClass: String)] = []
        for case (let name, .relation(let memberClass)) in DefaultFields.of(className) {
            classes.append((name, memberClass))
        }
        for (name, field) in added {
            if case .relation(let memberClass) = field.type { classes.append((name, memberClass)) }
        }
        return JSONObject(
            classes.sorted { $0.field < $1.field }
                .map { ($0.field, RelationChange(memberClass: $0.memberClass).fieldValue) })
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
        for (field, operation) in operations.members {
            // The format of an ACL is checked when the body is read.
            guard field != "ACL", let got = operation.type, let expected = self[field]?.type, got != expected
            else { continue }
            throw .schemaMismatch(className, field, expected: expected, got: got)
        }
    }

    /// Checks that a write does not add a second GeoPoint field to the class. MongoDB allows only one.
    /// - Throws: Parse error 111 (incorrect type) for a second GeoPoint field.
    package func checkPlaces(in operations: FieldOperations) throws(ParseError) {
        guard operations.members.contains(where: { $0.value.type == .geoPoint && self[$0.key] == nil }),
            added.values.contains(where: { $0.type == .geoPoint })
        else { return }
        throw .anotherGeoPoint
    }

    /// Checks that the write leaves no required field empty.
    /// - Parameter creates: true for a create, which must set every required field that has no default value.
    /// - Throws: Parse error 142 (validation failed) if a required field is missing, deleted or emptied.
    package func checkRequired(_ body: WriteBody, creates: Bool) throws(ParseError) {
        for (name, _) in added.filter({ $0.value.isRequired == true }).sorted(by: { $0.key < $1.key }) {
            let isTaken = body.deleted.contains(name) || body.emptied.contains(name)
            let isMissing = creates && body.operations[name] == nil && !body.nested.contains { $0.field == name }
            guard isTaken || isMissing else { continue }
            // In a create, a default value replaces an absent or deleted field, but not an explicit null or empty
            // string.
            if creates, added[name]?.defaultValue != nil, !body.emptied.contains(name) { continue }
            throw ParseError(.validationFailed, "\(name) is required")
        }
    }

    /// The default values of a create, for the fields that the body leaves out or deletes.
    package func defaults(for body: WriteBody) -> JSONObject {
        var defaults = JSONObject()
        for (name, field) in added.filter({ $0.value.defaultValue != nil }).sorted(by: { $0.key < $1.key }) {
            guard let value = field.defaultValue, !body.emptied.contains(name) else { continue }
            guard body.operations[name] == nil || body.deleted.contains(name),
                !body.nested.contains(where: { $0.field == name })
            else { continue }
            defaults[name] = (try? value.asFieldValue()) ?? value
        }
        return defaults
    }
}
