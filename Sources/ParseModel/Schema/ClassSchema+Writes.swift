/// Checks of writes against the schema, by the rules of a Parse Server.
extension ClassSchema {
    /// The relation values that every object of the class has, regardless of their members.
    package var relations: JSONObject {
        var relations = JSONObject()
        let all = DefaultFields.of(className).map { ($0.name, $0.type) } + added.map { ($0.key, $0.value.type) }
        for case (let name, .relation(let memberClass)) in all.sorted(by: { $0.0 < $1.0 }) {
            relations[name] = RelationChange(memberClass: memberClass).fieldValue
        }
        return relations
    }

    /// - Throws: 111 if the body sends a relation value for a field of another type or member class.
    package func checkRelations(of body: WriteBody) throws(ParseError) {
        for (field, memberClass) in body.relations {
            guard let expected = self[field]?.type, expected != .relation(memberClass) else { continue }
            throw .schemaMismatch(className, field, expected: expected, got: .relation(memberClass))
        }
    }

    /// - Throws: 111 if an operation does not fit the type of its field.
    package func checkTypes(of operations: FieldOperations) throws(ParseError) {
        for field in operations.fields {
            // The format of an ACL was checked when the body was read.
            guard field != "ACL", let got = operations[field]?.type, let expected = self[field]?.type, got != expected
            else { continue }
            throw .schemaMismatch(className, field, expected: expected, got: got)
        }
    }

    /// Checks that the class has at most one GeoPoint field, as on MongoDB.
    /// - Throws: 111 if an operation would add a second one.
    package func checkPlaces(in operations: FieldOperations) throws(ParseError) {
        guard operations.fields.contains(where: { operations[$0]?.type == .geoPoint && self[$0] == nil }),
            added.values.contains(where: { $0.type == .geoPoint })
        else { return }
        throw .anotherGeoPoint
    }

    /// Checks required fields.
    /// - Parameter creates: true for a new object, which must have every required field.
    /// - Throws: 142 if a required field is missing or deleted.
    package func checkRequired(_ body: WriteBody, creates: Bool) throws(ParseError) {
        for (name, field) in added.sorted(by: { $0.key < $1.key }) where field.isRequired == true {
            let isTaken = body.deleted.contains(name) || body.emptied.contains(name)
            let isMissing = creates && body.operations[name] == nil && !body.nested.contains { $0.field == name }
            guard isTaken || isMissing else { continue }
            // A default applies to an absent field, and not to an explicit null or empty text.
            if creates, field.defaultValue != nil, !body.emptied.contains(name) { continue }
            throw ParseError(.validationFailed, "\(name) is required")
        }
    }

    /// The default values for the absent fields of a create.
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
