import ParseModel
import StoreService

/// Queries about relations whose members are not kept here. They go to the remote, and fail where it cannot be reached.
struct ForwardedQueries: Sendable {
    let control: any SyncControl
    let store: any ObjectStore
    let waits: RemoteWaits

    /// The relation that a list request asks about; nil for every other request.
    static func relation(in request: RoutedRequest) throws(ParseError) -> (owner: Pointer, field: String)? {
        guard let value = request.parse.parameters["where"], mentionsRelation(value) else { return nil }
        return try ParseQuery(parameters: ["where": request.parse.searchParameters["where"] ?? .null]).predicate
            .relation
    }

    /// A cheap check, so that other conditions are not parsed here.
    private static func mentionsRelation(_ value: JSONValue) -> Bool {
        (value.string ?? value.jsonText).contains("$relatedTo")
    }

    /// - Returns: the remote's answer; nil where the members are kept here.
    /// - Throws: `APIError.remoteUnreachable`.
    func answer(_ request: RoutedRequest, about relation: (owner: Pointer, field: String)) async throws -> JSONObject? {
        guard try await !control.keepsMembers(of: relation.owner.className) else { return nil }
        var parameters = request.parse.searchParameters
        parameters.removeAll { $0.hasPrefix("_") }
        let conditions = try parameters["where"].map { try $0.string.map { try JSONReader.read($0) } ?? $0 }
        let known = try store.object(
            relation.owner.className, relation.owner.objectId, as: request.principal)?.objectId
        let owner = Pointer(className: relation.owner.className, objectId: known ?? relation.owner.objectId)
        // The remote knows an object by its own id only.
        parameters["where"] = conditions?.replacingPointers { $0 == relation.owner ? owner : $0 }
        let className = try request.target.className
        let marks = OperationMarks(try await control.opFields())
        let answer = try await waits.hold { [parameters] in try await control.askRemote(className, parameters) }
        return marks.hidden(inList: answer, of: className)
    }
}

extension Predicate {
    /// The first relation in the predicate or in one of its subqueries.
    fileprivate var relation: (owner: Pointer, field: String)? {
        switch self {
        case .and(let predicates), .or(let predicates), .nor(let predicates):
            // Lazy collections would look at each predicate twice, and at those inside of it four times.
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
