import HTTPServer
import ParseModel
import RemoteService
import StoreService

/// The routes that begin with `/sync`: the sync state, pending changes, rejections, conflicts, removals that wait for a
/// confirmation, and the synced classes.
struct SyncRoutes: Sendable {
    /// The sync engine; nil in standalone mode.
    let control: (any SyncControl)?
    let store: any ObjectStore
    let reads: BlockingReads
    let responses: ResponseBuilder
    /// The remote that `GET /sync` shows; nil in standalone mode.
    let remote: APIConfiguration.Remote?
    /// The largest accepted upload, in bytes. `GET /sync` shows this number to clients.
    let fileBytesMax: Int
    let remoteWaits: RemoteWaits
    let people: any SyncPeople
    let errors: ErrorResponder
    /// The backups that `GET /sync` shows to holders of the master key or to others; nil if the gateway writes none.
    let backups: @Sendable (_ isMaster: Bool) -> JSONObject?

    var routes: [Route] { engine + users + decisions + removals + classes }

    private var engine: [Route] {
        [
            route(.post, "/sync", "startSync", .ofSpace, start),
            Route(.get, "/sync", "getSyncStatus", .ofSpace) { request in
                .later {
                    var answer = try await status(for: request.principal)
                    // The directory and the error are for the operator alone.
                    answer["backups"] = backups(request.principal.isMaster).map(JSONValue.object)
                    return responses.json(answer)
                }
            },
            route(.post, "/sync/pause", "pauseSync", .ofOperator) { request, control in
                try await control.pause()
                return responses.json(try await status(control, for: request.principal))
            },
            route(.post, "/sync/resume", "resumeSync", .ofOperator) { request, control in
                try await control.resume()
                return responses.json(try await status(control, for: request.principal))
            },
        ]
    }

    private var users: [Route] {
        [
            route(.get, "/sync/users", "listUsersOfReplica", .ownMasterOnly) { _, _ in
                responses.results(try await people.users().map(\.json))
            }
        ]
    }

    /// The entries of a list: those of this gateway, and for the master key those of all users. With `after`, the next entries
    /// of this gateway, or of the user that the request names: users have ids of their own.
    private func entries(
        _ request: RoutedRequest, _ control: any SyncControl, where mayHaveEntries: (UserStatus) -> Bool,
        _ read: (any SyncControl, _ after: Int64?) async throws -> [JSONObject]
    ) async throws -> HTTPServerResponse {
        let after = try request.parse.parameters.text("after").map { text throws(ParseError) in
            guard let id = Int64(text) else { throw ParseError(.invalidQuery, "after must be the id of an entry.") }
            return id
        }
        var all = try await read(control, after)
        if request.principal.isMaster, after == nil {
            all += try await people.entries(where: mayHaveEntries) { try await read($0, nil) }
        }
        return responses.results(all)
    }

    private var decisions: [Route] {
        [
            route(.get, "/sync/pending", "listPending") { request, control in
                try await entries(request, control, where: { !$0.work.isNone }) {
                    try await $0.pending(after: $1, as: request.principal).map { try $0.json() }
                }
            },
            route(.get, "/sync/pending/{id}", "getPending") { request, control in
                let text = request.parameters[0]
                guard let id = Int64(text), id > 0,
                    let change = try await control.pending(after: id - 1, as: request.principal).first, change.id == id
                else { throw StoreError.notFound(what: "pending change \(text)") }
                return responses.json(try change.json())
            },
            decision(.delete, "/sync/pending/{id}", "undoPending") { id, request, control in
                try await control.undoPending(id, match: try match(request), as: request.principal)
            },
            route(.get, "/sync/rejections", "listRejections") { request, control in
                try await entries(request, control, where: { $0.work.rejections > 0 }) {
                    try await $0.rejections(after: $1, as: request.principal).map { try $0.json() }
                }
            },
            decision(.post, "/sync/rejections/{id}/retry", "retryRejection") { id, request, control in
                try await control.retryRejection(
                    id, object: try object(request), match: try match(request), as: request.principal)
            },
            decision(.delete, "/sync/rejections/{id}", "giveUpRejection") { id, request, control in
                try await control.giveUpRejection(id, match: try match(request), as: request.principal)
            },
            route(.get, "/sync/conflicts", "listConflicts") { request, control in
                let resolved = try asksForResolved(request)
                return try await entries(request, control, where: { resolved || $0.work.conflicts > 0 }) {
                    try await $0.conflicts(resolved: resolved, after: $1, as: request.principal).map { try $0.json() }
                }
            },
            decision(.post, "/sync/conflicts/{id}", "resolveConflict") { id, request, control in
                let object = try object(request)
                try await control.resolveConflict(
                    id, keep: try keep(request, isNeeded: object == nil), object: object, match: try match(request),
                    as: request.principal)
            },
            route(.post, "/sync/decisions", "decideMany") { request, control in
                let decisions = try ManyDecisions(request.parse.body.fields, control, as: request.principal)
                let results = await decisions.make().map { error in
                    error.map { ["error": .object(errors.answer(to: $0, request.http).batchItem)] } ?? ["success": [:]]
                        as JSONValue
                }
                return responses.json(JSONValue.array(results).jsonBytes)
            },
        ]
    }

    private var removals: [Route] {
        [
            route(.get, "/sync/removals", "listRemovals") { request, control in
                try await entries(request, control, where: { $0.work.removals > 0 }) { control, _ in
                    try await control.removals(as: request.principal).map(\.json)
                }
            },
            decision(.post, "/sync/removals/{id}/confirm", "confirmRemoval", .ofOperator) { id, request, control in
                try await control.confirmRemoval(id, as: request.principal)
            },
            decision(.post, "/sync/removals/{id}/keep", "keepRemoval", .ofOperator) { id, request, control in
                try await control.keepRemoval(id, as: request.principal)
            },
        ]
    }

    private var classes: [Route] {
        let one = "/sync/classes/{className}"
        return [
            route(.get, "/sync/classes", "listSyncedClasses") { request, control in
                let classes = try await classes(control, for: request.principal)
                guard request.parse.parameters.flag("fields") else { return responses.results(classes.map(\.json)) }
                return responses.results(try await withFields(classes))
            },
            route(.get, one, "getSyncedClass") { request, control in
                responses.json(try await syncedClass(request.parameters[0], control, for: request.principal))
            },
            route(.get, "/sync/remote-classes", "listRemoteClasses", .ofOperator) { _, control in
                let names = await control.remoteClasses()
                return responses.json(["classes": names.map { .array($0.sorted().map(JSONValue.string)) } ?? .null])
            },
            route(.put, one, "registerClass", .ofOperator) { request, control in
                let className = request.parameters[0]
                try RoutedRequest.checkCarried(className)
                let change = try ClassOptionsChange(
                    try request.parse.body.fields, operators: control.pullOperators(of: className),
                    storesParseValues: control.storesParseValues(of: className))
                return responses.json(try await control.registerClass(className, change)?.json ?? [:])
            },
            route(.delete, one, "unregisterClass", .ofOperator) { request, control in
                let parameters = request.parse.parameters
                try await control.unregisterClass(
                    request.parameters[0], purge: parameters.flag("purge"), force: parameters.flag("force"))
                return responses.json([:])
            },
            route(.delete, "\(one)/objects", "purgeObjects", .ofOperatorWithKey) { request, control in
                responses.json(["purged": .int(try await purge(request, control))])
            },
        ]
    }

    /// A route whose requests a standalone gateway refuses, because it has no remote.
    private func route(
        _ method: RequestMethod, _ pattern: String, _ name: String, _ policy: RoutePolicy = .ofSpace,
        _ answer: @escaping @Sendable (RoutedRequest, any SyncControl) async throws -> HTTPServerResponse
    ) -> Route {
        Route(method, pattern, name, policy) { request in
            guard let control else {
                throw ParseError(.operationForbidden, "This gateway is standalone: it has no remote to sync with.")
            }
            return .later { try await answer(request, control) }
        }
    }

    /// A route that decides about one pending change, rejection, conflict or removal.
    private func decision(
        _ method: RequestMethod, _ pattern: String, _ name: String, _ policy: RoutePolicy = .ofSpace,
        _ decide: @escaping @Sendable (_ id: Int64, RoutedRequest, any SyncControl) async throws -> Void
    ) -> Route {
        route(method, pattern, name, policy) { request, control in
            let text = request.parameters[0]
            guard let id = Int64(text) else { throw StoreError.notFound(what: "id \(text)") }
            try await decide(id, request, control)
            return responses.json([:])
        }
    }

    private func request(_ request: RoutedRequest) throws(ParseError) -> SyncRequest {
        let audits = request.parse.parameters.flag("audit")
        switch request.parse.parameters.text("phase") {
        case nil: return SyncRequest(audits: audits)
        case "pull": return SyncRequest(pushes: false, audits: audits)
        case "push":
            guard !audits else { throw ParseError(.invalidQuery, "An audit is part of a pull.") }
            return SyncRequest(pulls: false)
        default: throw ParseError(.invalidQuery, "phase must be \"push\" or \"pull\".")
        }
    }

    private func purge(_ request: RoutedRequest, _ control: any SyncControl) async throws -> Int {
        var parameters = request.parse.parameters
        let force = parameters.flag("force")
        parameters["force"] = nil
        parameters["user"] = nil
        if let name = parameters.keys.first(where: { $0 != "where" && !$0.hasPrefix("_") }) {
            throw ParseError(.invalidQuery, "Invalid parameter for a purge: \(name)")
        }
        var query = try ParseQuery(parameters: parameters)
        query.limit = .max
        query.predicate = try Redirection(store: store, principal: request.principal).resolved(query.predicate)
        return try await control.purgeObjects(
            of: request.parameters[0], parameters["where"] == nil ? nil : query, force: force)
    }

    private func start(_ request: RoutedRequest, _ control: any SyncControl) async throws -> HTTPServerResponse {
        let sync = try self.request(request)
        guard request.parse.parameters.flag("wait") else {
            guard try await control.status(as: .public).status.state != .paused else { throw APIError.syncPaused }
            await control.start(sync)
            return responses.json(try await status(control, for: request.principal), status: .accepted)
        }
        switch try await remoteWaits.hold({ await control.run(sync) }) {
        case .finished(let summary):
            var json = summary.json
            // Figures of classes and warnings may be about objects that the caller may not read.
            if store.restrictsFeed(for: request.principal) { (json["classes"], json["warnings"]) = ([:], []) }
            return responses.json(json)
        case .paused: throw APIError.syncPaused
        case .failed(.waitsForLogIn):
            // If the caller's own session has ended, the answer says so. With the gateway's master key, the answer is
            // about the user of the space.
            if let token = request.parse.credentials.sessionToken, !people.isUsable(token) {
                throw ParseError.invalidSession
            }
            throw APIError.remoteUnauthorized(reason: SyncError.waitsForLogIn.message)
        case .failed(.unauthorized(let message)): throw APIError.remoteUnauthorized(reason: message)
        case .failed(.storeFull): throw StoreError.diskFull
        case .failed(.store(let reason)): throw APIError.syncFailed(reason: reason)
        case .failed(let error): throw APIError.remoteUnreachable(reason: error.message)
        }
    }

    /// The answer of `GET /sync`. A gateway that enforces rights shows the principal the classes that it may list, with
    /// the numbers of objects that it may read, and in a site replica the principal's own changes.
    func status(for principal: Principal) async throws -> JSONObject {
        if let control { return try await status(control, for: principal) }
        var status = Self.standaloneStatus(try await readableObjects(for: principal))
        status["fileBytesMax"] = .int(fileBytesMax)
        return try await withDenials(status, for: principal)
    }

    private func status(_ control: any SyncControl, for principal: Principal) async throws -> JSONObject {
        let report = try await report(control, for: principal)
        var status = report.json(remote: remote, fileBytesMax: fileBytesMax)
        for (name, member) in try await people.members(report, for: principal) { status[name] = member }
        return try await withDenials(status, for: principal)
    }

    /// A sync status whose classes have `denied`: the writes that the principal may make on no object of the class.
    private func withDenials(_ status: JSONObject, for principal: Principal) async throws -> JSONObject {
        guard !principal.writesEverything else { return status }
        return try await reads.run(.quick) { [store] in
            var status = status
            let classes = try status["classes"]?.array?.map { entry in
                guard var entry = entry.object, let name = entry["name"]?.string else { return entry }
                let denied = try store.deniedWrites(in: name, as: principal)
                if !denied.isEmpty { entry["denied"] = .array(denied.map { .string($0.rawValue) }) }
                return .object(entry)
            }
            status["classes"] = classes.map(JSONValue.array)
            return status
        }.get()
    }

    private func report(_ control: any SyncControl, for principal: Principal) async throws -> SyncReport {
        let report = try await control.status(as: principal)
        guard store.restrictsFeed(for: principal) else { return report }
        return report.shown(Dictionary(uniqueKeysWithValues: try await readableObjects(for: principal)))
    }

    /// The synced classes that the principal may list.
    private func classes(_ control: any SyncControl, for principal: Principal) async throws -> [SyncedClass] {
        let all = try await control.classes()
        guard store.restrictsFeed(for: principal) else { return all }
        let shown = try await report(control, for: principal).figures.classes
        return all.compactMap { known in
            shown.first { $0.name == known.name }.map { SyncedClass(figures: $0, syncClass: known.syncClass) }
        }
    }

    /// The classes that the principal may list, with the numbers of objects that the principal may read.
    private func readableObjects(for principal: Principal) async throws -> [(String, Int)] {
        try await reads.run(.quick) { [store] in
            let counting = try ParseQuery(parameters: ["count": 1, "limit": 0])
            return try store.classNames().compactMap { name in
                do {
                    return (name, try store.find(name, counting, as: principal).count ?? 0)
                } catch is ParseError {
                    // The principal may not list the class.
                    return nil
                }
            }
        }.get()
    }

    /// The answer of `GET /sync/classes/{className}`: the class's entry, and the fields of its schema if the schema is stored.
    private func syncedClass(
        _ name: String, _ control: any SyncControl, for principal: Principal
    ) async throws -> JSONObject {
        guard let syncedClass = try await classes(control, for: principal).first(where: { $0.name == name }) else {
            throw StoreError.notFound(what: "the class \(name) among those that are synced")
        }
        return try await withFields([syncedClass])[0]
    }

    /// The entries of classes, each with the fields of its schema if the schema is stored.
    private func withFields(_ classes: [SyncedClass]) async throws -> [JSONObject] {
        try await reads.run(.quick) { [store] in
            try classes.map { syncedClass in
                var found = syncedClass.json
                found["fields"] = try store.schemas.schema(of: syncedClass.name)?.json["fields"]
                return found
            }
        }.get()
    }

    /// The request's `keep`: the decision about a conflict, for example `local` to keep the local state. Nil if the request has
    /// only an `object`, which is then the decision. `isNeeded` is true for a request without `object`.
    private func keep(_ request: RoutedRequest, isNeeded: Bool) throws(ParseError) -> String? {
        let fields = try request.parse.body.fields
        if !isNeeded, fields["keep"]?.isNull ?? true { return nil }
        guard let keep = fields.text("keep") else {
            throw ParseError(
                .invalidJSON, #"keep must say what to keep ("local", "remote" or "merge"), or object what to set."#)
        }
        return keep
    }

    /// The tags with which the entry may be decided (`If-Match`); nil for any state.
    private func match(_ request: RoutedRequest) throws(ParseError) -> TagMatch? {
        guard let text = request.http.headers[.ifMatch] else { return nil }
        return try Preconditions.match(text)
    }

    /// The request's `object`: the field values that a decision sets; nil for none.
    private func object(_ request: RoutedRequest) throws(ParseError) -> JSONObject? {
        try Self.object(in: request.parse.body.fields)
    }

    /// The member `object` of a decision; nil for none.
    static func object(in fields: JSONObject) throws(ParseError) -> JSONObject? {
        switch fields["object"] {
        case nil, .null: return nil
        case .object(let object): return object
        default: throw ParseError(.invalidJSON, "object must be a JSON object.")
        }
    }

    private func asksForResolved(_ request: RoutedRequest) throws(ParseError) -> Bool {
        switch request.parse.parameters.text("state") {
        case nil, "open": return false
        case "resolved": return true
        default: throw ParseError(.invalidQuery, "state must be \"open\" or \"resolved\".")
        }
    }

    /// The answer of `GET /sync` in a standalone gateway. The page reads it like a replica's answer.
    private static func standaloneStatus(_ objects: [(className: String, count: Int)]) -> JSONObject {
        let classes = objects.map { name, count in
            ["name": .string(name), "objects": .int(count), "pending": 0, "initialSyncComplete": true] as JSONValue
        }
        return [
            "mode": "standalone", "state": "idle", "online": true, "initialSyncComplete": true, "lastSyncAt": nil,
            "lastError": nil, "pending": 0, "rejections": 0, "conflicts": 0, "removals": 0, "progress": nil,
            "classes": .array(classes),
        ]
    }
}
