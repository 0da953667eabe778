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

    /// Whether the nearest objects come first: where a place is asked for, and no order.
    package var ordersByDistance: Bool { order.isEmpty && !ordersByScore }
}
