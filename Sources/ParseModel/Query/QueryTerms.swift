/// What depends on the server, and not on the query, when a query is read.
package struct QueryTerms: Sendable, Hashable {
    /// The code for an unknown operator on a field.
    package var unknownOperator: ParseError.Code
    package var bounds: QueryBounds

    package init(unknownOperator: ParseError.Code = .invalidQuery, bounds: QueryBounds = QueryBounds()) {
        self.unknownOperator = unknownOperator
        self.bounds = bounds
    }

    /// Tidegate's own terms, for conditions that no Parse client has sent, such as those of pulls.
    package static let own = QueryTerms()
}
