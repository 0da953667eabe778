/// A query for objects of one class.
package struct ParseQuery: Sendable, Hashable {
    /// The conditions of `where`.
    package var predicate: Predicate
    package var order: [SortKey]
    /// True to sort by the score of the text search, best match first.
    package var ordersByScore = false
    /// The maximum number of results that the query asks for. The server may have a lower maximum.
    package var limit: Int
    package var skip: Int
    /// True to return the number of all matching objects, regardless of `limit` and `skip`.
    package var wantsCount: Bool
    /// The selected fields as dotted paths; nil for all.
    package var keys: [String]?
    /// The excluded fields as dotted paths.
    package var excludedKeys: [String] = []
    /// True to return the score of the text search as `score`.
    package var showsScore = false
    /// The pointers to include, as dotted paths.
    package var include: [String] = []
    /// True to include all pointers.
    package var includesAll = false
    /// True to return the query plan instead of results.
    package var explains = false
    /// True for the conditions of an `/aggregate` pipeline, which also accept MongoDB's notation of dates and pointers.
    package var isPipeline = false
    /// The parameter `redirectClassNameForKey`; nil if absent. If it names a relation field, the query reads the class
    /// of the relation's members instead.
    package var redirectingKey: String?

    /// The limit of a query that sets none, as on Parse Server.
    package static let limitDefault = 100

    package init(
        predicate: Predicate = .and([]), order: [SortKey] = [], limit: Int = limitDefault, skip: Int = 0,
        wantsCount: Bool = false, keys: [String]? = nil
    ) {
        self.predicate = predicate
        self.order = order
        self.limit = limit
        self.skip = skip
        self.wantsCount = wantsCount
        self.keys = keys
    }

    /// The fields and included objects of the response, from `keys`, `excludedKeys` and `include`.
    package var selection: FieldSelection {
        if keys == nil, excludedKeys.isEmpty, include.isEmpty, !includesAll { return .all }
        return FieldSelection(keys: keys, excludedKeys: excludedKeys, include: include, includesAll: includesAll)
    }

    /// True if the query sets no order. A `$nearSphere` condition then sorts the results by distance.
    package var ordersByDistance: Bool { order.isEmpty && !ordersByScore }
}
