import ParseModel

/// An index that a store has created by itself, with its use since the start of the process.
package struct IndexUse: Sendable, Hashable {
    package let className: String
    /// The indexed fields, in order.
    package let fields: [String]
    /// The number of queries that have used the index.
    package let count: Int
    /// The time of the last use; nil if no query has used the index.
    package let latest: ParseDate?

    package init(className: String, fields: [String], count: Int, latest: ParseDate?) {
        self.className = className
        self.fields = fields
        self.count = count
        self.latest = latest
    }
}
