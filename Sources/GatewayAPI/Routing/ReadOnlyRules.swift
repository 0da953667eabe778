import ParseModel

/// Refuses writes by clients with the read-only master key, with the texts of Parse Server. For routes that Parse
/// Server lacks, or whose writes it allows by mistake, the text names the route.
enum ReadOnlyRules {
    /// Checks that the request reads, unless its client may write.
    /// - Throws: `ParseError` 119 (operation forbidden), or `APIError.readOnly` for files.
    static func check(_ request: RoutedRequest) throws { try check(request.route, request.principal) }

    static func check(_ route: Route, _ principal: Principal) throws {
        guard principal == .readOnlyMaster, let refusal = refusal(of: route) else { return }
        throw refusal
    }

    /// The error for a route that writes; nil for a route that reads.
    static func refusal(of route: Route) -> (any Error)? {
        let action: String?
        switch route.policy.readOnlyKey {
        case .everything: return nil
        case .noFile(let action): return APIError.readOnly(message: text(action))
        case .nothing(let given): action = given
        case .reads:
            if route.method == .get { return nil }
            action = route.policy.objects?.kind.readOnlyAction
        }
        return ParseError.denial(.operationForbidden, text(action ?? "perform the \(route.name) operation"))
    }

    private static func text(_ action: String) -> String { "read-only masterKey isn't allowed to \(action)." }
}

extension ObjectOperation.Kind {
    /// The action that a client with the read-only master key may not do; nil for a read.
    fileprivate var readOnlyAction: String? {
        switch self {
        case .create: "perform the create operation"
        case .update: "perform the update operation"
        case .delete: "perform the delete operation"
        case .list, .get, .aggregate: nil
        }
    }
}
