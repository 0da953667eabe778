/// Every route of the gateway. The dispatch reads it, and a test holds `openapi.yaml` to it.
package enum RouteTable {
    /// The Parse dialect answers under each of these; Parse Server's own mount path is `/parse`, parse.com's was `/1`.
    package static let prefixes = ["", "/parse", "/1"]

    /// Of two routes that fit a path the earlier one answers.
    package static let routes: [Route] = [
        Route(.get, "/classes/{className}", .listObjects),
        Route(.post, "/classes/{className}", .createObject),
        Route(.get, "/classes/{className}/{objectId}", .getObject),
        Route(.put, "/classes/{className}/{objectId}", .updateObject),
        Route(.delete, "/classes/{className}/{objectId}", .deleteObject),
        Route(.post, "/batch", .batch),
        Route(.get, "/aggregate/{className}", .aggregate),

        Route(.post, "/functions/{functionName}", .callFunction),
        Route(.post, "/jobs", .startJob),
        Route(.post, "/jobs/{jobName}", .startJobByName),
        Route(.get, "/cloud_code/jobs", .listJobSchedules),
        Route(.post, "/cloud_code/jobs", .createJobSchedule),
        Route(.get, "/cloud_code/jobs/data", .getJobNames),
        Route(.put, "/cloud_code/jobs/{scheduleId}", .updateJobSchedule),
        Route(.delete, "/cloud_code/jobs/{scheduleId}", .deleteJobSchedule),
        Route(.post, "/push", .sendPush),
        Route(.get, "/hooks/functions", .listFunctionHooks),
        Route(.post, "/hooks/functions", .createFunctionHook),
        Route(.get, "/hooks/functions/{functionName}", .getFunctionHook),
        Route(.put, "/hooks/functions/{functionName}", .updateFunctionHook),
        Route(.get, "/hooks/triggers", .listTriggerHooks),
        Route(.post, "/hooks/triggers", .createTriggerHook),
        Route(.get, "/hooks/triggers/{className}/{triggerName}", .getTriggerHook),
        Route(.put, "/hooks/triggers/{className}/{triggerName}", .updateTriggerHook),
        Route(.post, "/requestPasswordReset", .requestPasswordReset),
        Route(.post, "/verificationEmailRequest", .requestVerificationEmail),
        Route(.post, "/login", .logIn),
        Route(.get, "/login", .logInByQuery),
        Route(.post, "/loginAs", .logInAs),
        Route(.post, "/verifyPassword", .verifyPassword),
        Route(.get, "/verifyPassword", .verifyPasswordByQuery),
        Route(.post, "/logout", .logOut),
        Route(.post, "/upgradeToRevocableSession", .upgradeSession),
        Route(.post, "/users", .signUp),
        Route(.get, "/users", .listUsers),
        Route(.get, "/users/me", .getCurrentUser),
        Route(.get, "/users/{objectId}", .getUser),
        Route(.put, "/users/{objectId}", .updateUser),
        Route(.delete, "/users/{objectId}", .deleteUser),
        Route(.get, "/installations", .listInstallations),
        Route(.post, "/installations", .createInstallation),
        Route(.get, "/installations/{objectId}", .getInstallation),
        Route(.put, "/installations/{objectId}", .updateInstallation),
        Route(.delete, "/installations/{objectId}", .deleteInstallation),
        Route(.get, "/roles", .listRoles),
        Route(.post, "/roles", .createRole),
        Route(.get, "/roles/{objectId}", .getRole),
        Route(.put, "/roles/{objectId}", .updateRole),
        Route(.delete, "/roles/{objectId}", .deleteRole),
        Route(.get, "/sessions", .listSessions),
        Route(.post, "/sessions", .createSession),
        Route(.get, "/sessions/me", .getCurrentSession),
        Route(.put, "/sessions/me", .updateCurrentSession),
        Route(.get, "/sessions/{objectId}", .getSession),
        Route(.put, "/sessions/{objectId}", .updateSession),
        Route(.delete, "/sessions/{objectId}", .deleteSession),
        Route(.post, "/events/{eventName}", .trackEvent),
        Route(.post, "/validate_purchase", .validatePurchase),
        Route(.get, "/config", .getConfig),
        Route(.put, "/config", .updateConfig),
        Route(.get, "/schemas", .listSchemas),
        Route(.post, "/schemas", .createSchema),
        Route(.get, "/schemas/{className}", .getSchema),
        Route(.post, "/schemas/{className}", .createNamedSchema),
        Route(.put, "/schemas/{className}", .updateSchema),
        Route(.delete, "/schemas/{className}", .deleteSchema),
        Route(.delete, "/purge/{className}", .purgeClass),

        Route(.post, "/files/{fileName}", .uploadFile),
        Route(.get, "/files/{applicationId}/{fileName}", .getFile),
        Route(.get, "/files/{applicationId}/metadata/{fileName}", .getFileMetadata),
        Route(.delete, "/files/{fileName}", .deleteFile),

        Route(.post, "/sync", .startSync),
        Route(.get, "/sync", .getSyncStatus),
        Route(.post, "/sync/pause", .pauseSync),
        Route(.post, "/sync/resume", .resumeSync),
        Route(.get, "/sync/pending", .listPending),
        Route(.delete, "/sync/pending/{id}", .undoPending),
        Route(.get, "/sync/rejections", .listRejections),
        Route(.post, "/sync/rejections/{id}/retry", .retryRejection),
        Route(.delete, "/sync/rejections/{id}", .giveUpRejection),
        Route(.get, "/sync/conflicts", .listConflicts),
        Route(.post, "/sync/conflicts/{id}", .resolveConflict),
        Route(.get, "/sync/removals", .listRemovals),
        Route(.post, "/sync/removals/{id}/confirm", .confirmRemoval),
        Route(.post, "/sync/removals/{id}/keep", .keepRemoval),
        Route(.get, "/sync/classes", .listSyncedClasses),
        Route(.get, "/sync/classes/{className}", .getSyncedClass),
        Route(.put, "/sync/classes/{className}", .registerClass),
        Route(.delete, "/sync/classes/{className}", .unregisterClass),
        Route(.delete, "/sync/classes/{className}/objects", .purgeObjects),

        Route(.get, "/changes", .listChanges),
        Route(.get, "/health", .getHealth),
        Route(.get, "/metrics", .getMetrics),
        Route(.get, "/serverInfo", .getServerInfo),
        Route(.get, "/openapi.yaml", .getOpenAPI),
        Route(.get, "/", .page),
        Route(.get, "/{file}", .pageFile),
    ]

    /// The route of a path without its prefix, and the texts of its parameters.
    static func match(_ method: Route.Method, _ path: RoutePath) -> (endpoint: Endpoint, parameters: [String])? {
        for route in routes where route.method == method && !(route.endpoint.isPage && path.isPrefixed) {
            if let parameters = route.parameters(in: path.segments) { return (route.endpoint, parameters) }
        }
        return nil
    }

    /// The methods that have a route at the path, in the order of the table.
    static func methods(of path: RoutePath) -> [Route.Method] {
        let fitting = routes.filter { !($0.endpoint.isPage && path.isPrefixed) }
            .filter { $0.parameters(in: path.segments) != nil }
        let known = fitting.contains { !$0.endpoint.isPage } ? fitting.filter { !$0.endpoint.isPage } : fitting
        return known.reduce(into: []) { if !$0.contains($1.method) { $0.append($1.method) } }
    }

    /// Whether the path exists, under any method. The page's files, which match every path, do not count.
    static func knows(_ path: RoutePath) -> Bool {
        routes.contains { !$0.endpoint.isPage && $0.parameters(in: path.segments) != nil }
    }
}
