import ParseModel
import StoreService

/// `redirectClassNameForKey`: a query that names a class and one of its relations returns objects of the member class.
struct Redirection: Sendable {
    let store: any ObjectStore
    let principal: Principal

    /// The class that a query returns objects of.
    /// - Parameter key: the field of the relation. If it is nil or has another type, the result is the named class.
    func className(_ named: String, by key: String?, _ predicate: Predicate) throws -> String {
        guard let key else { return named }
        if case .relation(let memberClass)? = try store.schema(of: named)?[key]?.type { return memberClass }
        // A replica may have stored the owner of the relation, and not know the schema of its class.
        for case .relatedTo(let owner, key) in predicate.required {
            let object = try store.object(owner.className, owner.objectId, as: principal)
            let relation = try object.flatMap {
                try JSONReader.read($0.json, depthMax: JSONReader.storedDepthMax).object?[key]
            }
            if let relation, case .relation(let memberClass) = FieldType(of: relation) { return memberClass }
        }
        return named
    }

    /// The predicate with the redirection applied to its subqueries.
    func resolved(_ predicate: Predicate) throws -> Predicate {
        try predicate.mapConstraints { _, constraint in
            try constraint.mapSubquery { query in
                var query = query
                query.className = try className(query.className, by: query.redirectingKey, query.predicate)
                query.predicate = try resolved(query.predicate)
                return query
            }
        }
    }
}
