/// One method on one path, and what answers it.
package struct Route: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    package enum Segment: Sendable, Hashable {
        case literal(String)
        /// One segment of any text.
        case parameter
        /// One or more segments; only at the end.
        case rest
    }

    package let method: Method
    /// The path as `openapi.yaml` writes it, for instance `/classes/{className}/{objectId}`.
    package let pattern: String
    package let endpoint: Endpoint
    let segments: [Segment]

    init(_ method: Method, _ pattern: String, _ endpoint: Endpoint) {
        self.method = method
        self.pattern = pattern
        self.endpoint = endpoint
        segments = pattern.split(separator: "/").map { part in
            guard part.hasPrefix("{") else { return .literal(String(part)) }
            return endpoint == .pageFile ? .rest : .parameter
        }
    }

    /// The texts at the places of parameters, where the path is this route's.
    func parameters(in path: [String]) -> [String]? {
        let fits = segments.last == .rest ? segments.count <= path.count : segments.count == path.count
        guard fits else { return nil }
        var parameters: [String] = []
        for (i, segment) in segments.enumerated() {
            switch segment {
            case .literal(let text):
                guard text == path[i] else { return nil }
            case .parameter: parameters.append(path[i])
            case .rest: parameters.append(contentsOf: path[i...])
            }
        }
        return parameters
    }
}

/// What a route does. The name is the operation's `operationId` in `openapi.yaml`.
package enum Endpoint: String, Sendable, CaseIterable {
    case listObjects, createObject, getObject, updateObject, deleteObject, batch, aggregate
    case callFunction, startJob, startJobByName, sendPush
    case listJobSchedules, getJobNames, createJobSchedule, updateJobSchedule, deleteJobSchedule
    case listFunctionHooks, getFunctionHook, createFunctionHook, updateFunctionHook
    case listTriggerHooks, getTriggerHook, createTriggerHook, updateTriggerHook
    case requestPasswordReset, requestVerificationEmail
    case logIn, logInByQuery, logInAs, verifyPassword, verifyPasswordByQuery, logOut, upgradeSession, signUp
    case trackEvent, validatePurchase, getConfig, updateConfig
    case listSchemas, createSchema, getSchema, createNamedSchema, updateSchema, deleteSchema, purgeClass
    case listUsers, getUser, getCurrentUser, updateUser, deleteUser
    case listInstallations, createInstallation, getInstallation, updateInstallation, deleteInstallation
    case listRoles, createRole, getRole, updateRole, deleteRole
    case listSessions, createSession, getSession, updateSession, deleteSession
    case getCurrentSession, updateCurrentSession
    case startSync, getSyncStatus, pauseSync, resumeSync
    case listPending, undoPending
    case listRejections, retryRejection, giveUpRejection
    case listConflicts, resolveConflict
    case listRemovals, confirmRemoval, keepRemoval
    case listSyncedClasses, getSyncedClass, registerClass, unregisterClass, purgeObjects
    case uploadFile, getFile, getFileMetadata, deleteFile
    case listChanges, getHealth, getMetrics, getServerInfo, getOpenAPI
    case page, pageFile

    /// Whether it answers without the access key. A file's address is a key to it, which nobody guesses, and images in pages
    /// come with no other.
    var isOpen: Bool { [.getHealth, .getFile, .getFileMetadata].contains(self) || isPage }

    /// The page and its files lie at the root only, not under `/parse` and `/1`.
    var isPage: Bool { self == .page || self == .pageFile }

    /// Whether it belongs to Parse's own dialect, in which application id and session token have a meaning.
    var isParse: Bool {
        isObjects || isForwarded || onObjects != nil
            || [.batch, .aggregate, .getServerInfo, .uploadFile, .deleteFile].contains(self)
    }

    /// Whether its parameters say which objects are wanted, and what of them.
    var searches: Bool {
        switch onObjects?.endpoint ?? self {
        case .listObjects, .getObject, .aggregate: true
        default: false
        }
    }

    /// Whether it is about objects of a class, and may be an item of a batch.
    var isObjects: Bool {
        switch self {
        case .listObjects, .createObject, .getObject, .updateObject, .deleteObject: true
        default: false
        }
    }
}
