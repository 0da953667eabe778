/// What a schema says of writes, as a Parse Server checks them.
extension ClassSchema {
    /// What every object of the class shows of its relations, whoever their members are.
    package var relations: JSONObject {
        var relations = JSONObject()
        let all = DefaultFields.of(className).map { ($0.name, $0.type) } + added.map { ($0.key, $0.value.type) }
        for case (let name, .relation(let memberClass)) in all.sorted(by: { $0.0 < $1.0 }) {
            relations[name] = RelationChange(memberClass: memberClass).fieldValue
        }
        return relations
    }

    /// - Throws: 111 where a field that a body says to be a relation is something else.
    package func checkRelations(of body: WriteBody) throws(ParseError) {
        for (field, memberClass) in body.relations {
            guard let expected = self[field]?.type, expected != .relation(memberClass) else { continue }
            throw .schemaMismatch(className, field, expected: expected, got: .relation(memberClass))
        }
    }

    /// - Throws: 111 where an operation does not fit its field's type.
    package func checkTypes(of operations: FieldOperations) throws(ParseError) {
        for field in operations.fields {
            // Every object has an ACL, and what it must look like was checked when it was read.
            guard field != "ACL", let got = operations[field]?.type, let expected = self[field]?.type, got != expected
            else { continue }
            throw .schemaMismatch(className, field, expected: expected, got: got)
        }
    }

    /// A class has one field at most that is a place, as on MongoDB.
    /// - Throws: 111 where an operation would add another one.
    package func checkPlaces(in operations: FieldOperations) throws(ParseError) {
        guard operations.fields.contains(where: { operations[$0]?.type == .geoPoint && self[$0] == nil }),
            added.values.contains(where: { $0.type == .geoPoint })
        else { return }
        throw .anotherGeoPoint
    }

    /// - Parameter creates: the object is new, and has to have all that is required.
    /// - Throws: 142 where something required is missing or taken away.
    package func checkRequired(_ body: WriteBody, creates: Bool) throws(ParseError) {
        for (name, field) in added.sorted(by: { $0.key < $1.key }) where field.isRequired == true {
            let isTaken = body.deleted.contains(name) || body.emptied.contains(name)
            let isMissing = creates && body.operations[name] == nil && !body.nested.contains { $0.field == name }
            guard isTaken || isMissing else { continue }
            // A default stands in for what is not named, not for nothing.
            if creates, field.defaultValue != nil, !body.emptied.contains(name) { continue }
            throw ParseError(.validationFailed, "\(name) is required")
        }
    }

    /// What a create gets that it does not name.
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
