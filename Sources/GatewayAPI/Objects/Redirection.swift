import ParseModel
import StoreService

/// `redirectClassNameForKey`: a query names a class and one of its relation fields, and returns objects of the class to which the
/// relation's members belong.
struct Redirection: Sendable {
    let store: any ObjectStore
    let principal: Principal

    /// The class of the objects that a query returns.
    /// - Parameter key: the query's `redirectClassNameForKey`. If `key` is nil, or the class of the relation's members is
    ///   unknown, the result is `named`.
    /// - Throws: the refusal of a request for the objects of the resulting class (`RoutedRequest.checkUse`).
    func className(_ named: String, by key: String?, _ predicate: Predicate) throws -> String {
        let className = try redirected(named, by: key, predicate)
        try RoutedRequest.checkUse(of: className, to: .list, by: principal)
        return className
    }

    private func redirected(_ named: String, by key: String?, _ predicate: Predicate) throws -> String {
        guard let key else { return named }
        if case .relation(let memberClass)? = try store.schemas.schema(of: named)?[key]?.type { return memberClass }
        // A replica may lack the schema. For a query with `$relatedTo`, the relation field of the object that `$relatedTo` names
        // then gives the class of the members, if this object is stored.
        for case .relatedTo(let owner, key) in predicate.required {
            let object = try store.object(owner.className, owner.objectId, as: principal)
            let relation = try object.flatMap {
                try JSONReader.read($0.json, depthMax: JSONReader.storedDepthMax).object?[key]
            }
            if let relation, case .relation(let memberClass) = FieldType(of: relation) { return memberClass }
        }
        return named
    }

    /// The predicate, with the class of each subquery replaced according to the subquery's `redirectClassNameForKey`.
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
