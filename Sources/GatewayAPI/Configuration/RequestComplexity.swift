import ParseModel

/// The bounds of requests without the master key or the maintenance key: Parse Server's option `requestComplexity`.
/// Tidegate's own limits (`RequestLimits`) also apply, to every caller.
package struct RequestComplexity: Sendable, Hashable {
    /// The names of the bounds, as on Parse Server.
    package enum Bound: String, Sendable, CaseIterable {
        case batchRequestLimit, includeDepth, includeCount, queryDepth, subqueryDepth, allowRegex
    }

    /// The maximum number of requests in a batch; nil if only `RequestLimits.batchMax` holds.
    package var batchRequestsMax: Int?
    package var query = QueryBounds()

    package static let unbounded = Self()
    /// The defaults that are announced for Parse Server 10.
    package static let standard = Self(
        batchRequestsMax: 100,
        query: QueryBounds(includeDepthMax: 10, includeCountMax: 100, queryDepthMax: 10, subqueryDepthMax: 10))

    /// A copy with another value of one bound.
    /// - Parameter value: nil for no bound.
    package func with(_ bound: Bound, _ value: Int?) -> Self {
        var changed = self
        switch bound {
        case .batchRequestLimit: changed.batchRequestsMax = value
        case .includeDepth: changed.query.includeDepthMax = value
        case .includeCount: changed.query.includeCountMax = value
        case .queryDepth: changed.query.queryDepthMax = value
        case .subqueryDepth: changed.query.subqueryDepthMax = value
        case .allowRegex: changed.query.allowsRegex = value != 0
        }
        return changed
    }

    /// The bounds of the queries of a principal.
    func query(of principal: Principal) -> QueryBounds { principal.readsEverything ? QueryBounds() : query }

    /// The maximum number of requests in a batch of a principal; nil if only `RequestLimits.batchMax` holds.
    func batchRequestsMax(of principal: Principal) -> Int? { principal.readsEverything ? nil : batchRequestsMax }
}
