/// A query inside a query: `{"className":…,"where":…}`, the value of `$inQuery` and its like.
package struct Subquery: Sendable, Hashable {
    package var className: String
    /// The relation of that class whose members are meant instead; who knows the schema puts their class in.
    package let redirectingKey: String?
    package var predicate: Predicate
    package var order: [SortKey]
    /// How many of the objects count; nil for all, since the default and the maximum of lists are not for these.
    package let limit: Int?
    package let skip: Int
    /// The ids of the objects as a JSON array, once a store that works from the inside out has found them.
    package var foundIds: String?

    package init(
        className: String, redirectingKey: String? = nil, predicate: Predicate = .and([]), order: [SortKey] = [],
        limit: Int? = nil, skip: Int = 0
    ) {
        self.className = className
        self.redirectingKey = redirectingKey
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.skip = skip
    }
}

extension Predicate {
    /// The classes of all queries inside of it.
    package var innerClassNames: Set<String> {
        var names: Set<String> = []
        _ = mapConstraints { _, constraint in
            constraint.mapSubquery { query in
                names.insert(query.className)
                names.formUnion(query.predicate.innerClassNames)
                return query
            }
        }
        return names
    }
}
