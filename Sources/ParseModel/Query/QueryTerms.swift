/// The settings of a server that affect how it reads a query.
package struct QueryTerms: Sendable, Hashable {
    /// The code for an unknown operator on a field.
    package var unknownOperator: ParseError.Code
    package var bounds: QueryBounds

    package init(unknownOperator: ParseError.Code = .invalidQuery, bounds: QueryBounds = QueryBounds()) {
        self.unknownOperator = unknownOperator
        self.bounds = bounds
    }

    /// Tidegate's own settings, for conditions that do not come from a Parse client, such as those of pulls.
    package static let own = QueryTerms()
}
