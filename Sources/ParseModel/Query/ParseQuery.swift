/// A question about the objects of one class.
package struct ParseQuery: Sendable, Hashable {
    package var predicate: Predicate
    package var order: [SortKey]
    /// Whether the objects that fit a text search best come first.
    package var ordersByScore = false
    /// How many objects are wanted at most. A server's own maximum is not applied here.
    package var limit: Int
    package var skip: Int
    /// Whether the number of all objects that match is wanted, whatever limit and skip are.
    package var wantsCount: Bool
    /// The fields wanted, as dotted paths; nil for all.
    package var keys: [String]?
    /// The fields to leave out, as dotted paths.
    package var excludedKeys: [String] = []
    /// Whether to show how well each object fits a text search, as `score`.
    package var showsScore = false
    /// Pointers to show the objects of, as dotted paths.
    package var include: [String] = []
    /// Whether all pointers of the objects are meant.
    package var includesAll = false
    /// Whether to tell how the query would be answered, instead of answering it.
    package var explains = false
    /// Whether the conditions stand in a pipeline of `/aggregate`, which may write dates and pointers as MongoDB has them.
    package var isPipeline = false
    /// The relation whose members are wanted, whatever class the query names.
    package var redirectingKey: String?

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

    package var selection: FieldSelection {
        FieldSelection(keys: keys, excludedKeys: excludedKeys, include: include, includesAll: includesAll)
    }

    /// Whether the nearest objects come first: where a place is asked for, and no order.
    package var ordersByDistance: Bool { order.isEmpty && !ordersByScore }
}
