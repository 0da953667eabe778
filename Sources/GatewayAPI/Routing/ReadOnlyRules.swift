import ParseModel

/// Which requests a client with the read-only master key may make: those that read.
///
/// The texts are those of Parse Server. For routes that Parse Server lacks, or whose writes it allows by mistake, the text names
/// the route.
enum ReadOnlyRules {
    /// Checks that the request reads, unless its client may write.
    /// - Throws: `ParseError` 119 (operation forbidden), or `APIError.readOnly` for files.
    static func check(_ request: RoutedRequest) throws {
        guard request.principal == .readOnlyMaster, let refusal = refusal(of: request.route) else { return }
        throw refusal
    }

    /// The error for a route that writes; nil for a route that reads.
    static func refusal(of route: Route) -> (any Error)? {
        switch route.name {
        // Each request in a batch is checked by itself. A function or an event of a replica is the remote's, which does not receive
        // this gateway's keys.
        case "batch", "callFunction", "trackEvent": return nil
        // A log-in makes a session.
        case "logInByQuery": break
        case "uploadFile": return APIError.readOnly(message: text("create a file"))
        case "deleteFile": return APIError.readOnly(message: text("delete a file"))
        default: if route.method == .get { return nil }
        }
        return ParseError(.operationForbidden, text(action(of: route)))
    }

    private static func action(of route: Route) -> String {
        switch (route.policy.objects?.kind, route.name) {
        case (.create, _): "perform the create operation"
        case (.update, _): "perform the update operation"
        case (.delete, _): "perform the delete operation"
        case (_, "createSchema"), (_, "createNamedSchema"): "create a schema"
        case (_, "updateSchema"): "update a schema"
        case (_, "deleteSchema"): "delete a schema"
        case (_, "purgeClass"): "purge a schema"
        case (_, "updateConfig"): "update the config"
        case (_, "sendPush"): "send push notifications"
        case (_, "startJob"), (_, "startJobByName"): "run a job"
        case (_, "logInAs"): "login as another user"
        default: "perform the \(route.name) operation"
        }
    }

    private static func text(_ action: String) -> String { "read-only masterKey isn't allowed to \(action)." }
}
