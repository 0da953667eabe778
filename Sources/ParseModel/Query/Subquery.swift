/// A query inside a query: the operand `{"className":…,"where":…}` of `$inQuery` and similar operators.
package struct Subquery: Sendable, Hashable {
    package var className: String
    /// The parameter `redirectClassNameForKey`; nil if absent. If it names a relation field of `className`, the subquery reads
    /// the class of the relation's members.
    package let redirectingKey: String?
    package var predicate: Predicate
    /// The ids of the matching objects as a JSON array, if the store has already evaluated the subquery; otherwise nil.
    package var foundIds: String?

    package init(className: String, redirectingKey: String? = nil, predicate: Predicate = .and([])) {
        self.className = className
        self.redirectingKey = redirectingKey
        self.predicate = predicate
    }
}

extension Predicate {
    /// The classes of all subqueries and of all owners of relations in the predicate, at any depth.
    package var classNames: Set<String> {
        switch self {
        case .and(let parts), .or(let parts), .nor(let parts):
            return parts.reduce(into: []) { $0.formUnion($1.classNames) }
        case .relatedTo(let owner, _): return [owner.className]
        case .field(_, let constraint):
            var names: Set<String> = []
            _ = constraint.mapSubquery { query in
                names.formUnion(query.predicate.classNames.union([query.className]))
                return query
            }
            return names
        }
    }
}
