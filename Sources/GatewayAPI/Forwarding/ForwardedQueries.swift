import ParseModel
import StoreService

/// Forwards queries about relations whose members are not stored locally. The queries fail if the remote is unreachable.
struct ForwardedQueries: Sendable {
    let control: any SyncControl
    let store: any ObjectStore
    let waits: RemoteWaits
    /// Whether a principal may see the remote's answer. The query has the rights of the sync engine's keys or session,
    /// not those of the principal.
    var mayAsk: @Sendable (Principal) -> Bool = { _ in true }

    /// The relation that a list request names in a condition `$relatedTo`; nil if there is none.
    static func relation(in request: RoutedRequest) throws(ParseError) -> (owner: Pointer, field: String)? {
        guard let value = request.parse.parameters["where"], mentionsRelation(value) else { return nil }
        return try ParseQuery(parameters: ["where": request.parse.searchParameters["where"] ?? .null]).predicate
            .relation
    }

    /// Whether the conditions may contain `$relatedTo`. This cheap check saves parsing most conditions.
    private static func mentionsRelation(_ value: JSONValue) -> Bool {
        (value.string ?? value.jsonText).contains("$relatedTo")
    }

    /// Sends a query about a relation to the remote, unless the relation's members are stored locally.
    /// - Returns: the remote's answer; nil if the members are stored locally.
    /// - Throws: `APIError` if the remote gives no answer, or if too many requests wait for the remote. `ParseError` if the
    ///   remote refuses the query.
    func answer(_ request: RoutedRequest, about relation: (owner: Pointer, field: String)) async throws -> JSONObject? {
        guard try await !control.keepsMembers(of: relation.owner.className) else { return nil }
        guard mayAsk(request.principal) else {
            throw ParseError(
                .commandUnavailable,
                "The members of this relation are not kept here, so only the master key can query them.")
        }
        var parameters = request.parse.searchParameters
        // The query is sent with the sync engine's key, which may have more rights than the caller.
        guard request.principal.isMaster || parameters["explain"] == nil else {
            throw ParseError(.invalidQuery, "Using the explain query parameter requires the master key")
        }
        parameters.removeAll { $0.hasPrefix("_") }
        let conditions = try parameters["where"].map { try $0.string.map { try JSONReader.read($0) } ?? $0 }
        let known = try store.object(
            relation.owner.className, relation.owner.objectId, as: request.principal)?.objectId
        let owner = Pointer(className: relation.owner.className, objectId: known ?? relation.owner.objectId)
        // The owner's id on the remote replaces a local id, which the remote does not know.
        parameters["where"] = conditions?.replacingPointers { $0 == relation.owner ? owner : $0 }
        let className = try request.target.className
        let marks = HiddenOperationIds(try await control.opFields())
        let answer = try await waits.hold { [parameters] in try await control.askRemote(className, parameters) }
        return marks.hidden(inList: answer, of: className)
    }
}

extension Predicate {
    /// The relation of the first condition `$relatedTo` in the predicate or in its subqueries; nil if there is none.
    fileprivate var relation: (owner: Pointer, field: String)? {
        switch self {
        case .and(let predicates), .or(let predicates), .nor(let predicates):
            // A loop evaluates each `relation` once. A lazy collection would evaluate each found `relation` twice.
            for predicate in predicates { if let relation = predicate.relation { return relation } }
            return nil
        case .relatedTo(let owner, let field): return (owner, field)
        case .field(_, .inQuery(let query)), .field(_, .notInQuery(let query)), .field(_, .select(let query, _)),
            .field(_, .dontSelect(let query, _)):
            return query.predicate.relation
        case .field: return nil
        }
    }
}
