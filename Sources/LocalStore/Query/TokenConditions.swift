import GRDB
import ParseModel
import StoreService

/// Replaces the conditions of a query on the field `sessionToken` of `_Session`. The stored objects have no such field,
/// because the file contains only the digests of tokens.
struct TokenConditions {
    let db: Database

    /// The predicate with each condition on a token replaced by a condition on the session's id, also in subqueries.
    /// - Throws: `ParseError` 102 (invalid query) for any other condition on a token.
    func resolved(_ predicate: Predicate, of className: String) throws -> Predicate {
        guard className == "_Session" || predicate.classNames.contains("_Session") else { return predicate }
        return try resolvedConditions(of: predicate, className)
    }

    private func resolvedConditions(of predicate: Predicate, _ className: String) throws -> Predicate {
        try predicate.mapFields { path, constraint in
            let constraint = try constraint.mapSubquery { query in
                var query = query
                query.predicate = try resolvedConditions(of: query.predicate, query.className)
                return query
            }
            guard className == "_Session", path.segments[0] == "sessionToken" else { return .field(path, constraint) }
            guard case .equal(let value) = constraint, let token = value.string, path.segments.count == 1 else {
                throw ParseError(.invalidQuery, "sessionToken can only be compared for equality.")
            }
            let found = try SessionTable(db: db).session(digest: SessionDigest(of: token))
            return .field(try FieldPath("objectId"), .equal(.string(found?.sessionId ?? "")))
        }
    }
}
