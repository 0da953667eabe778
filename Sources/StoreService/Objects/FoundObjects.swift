/// The whole result of a query.
package struct FoundObjects: Sendable {
    package let objects: [StoredObject]
    /// The number of matches regardless of limit and skip; nil unless the query requests it.
    package let count: Int?

    package init(objects: [StoredObject], count: Int?) {
        self.objects = objects
        self.count = count
    }
}

/// An SQL statement of a query, and SQLite's plan for it.
package struct ExplainedStatement: Sendable, Hashable {
    /// The statement, with a question mark in place of each value.
    package let sql: String
    /// The plan, one line for each step (https://sqlite.org/eqp.html). A step is indented below its parent.
    package let plan: [String]

    package init(sql: String, plan: [String]) {
        self.sql = sql
        self.plan = plan
    }
}
