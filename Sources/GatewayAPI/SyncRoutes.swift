import HTTPServer
import LocalStore
import ParseModel

/// `/sync…`: what the sync engine does, and what waits for a person's decision.
struct SyncRoutes: Sendable {
    /// Nil in standalone mode.
    let control: (any SyncControl)?
    let store: any ObjectStore
    let answers: Answers
    /// The largest file that may be uploaded, in bytes, so that clients can check before an upload.
    let fileBytesMax: Int
    let remoteWaits: RemoteWaits

    func answer(_ call: Call) async throws -> HTTPServerResponse {
        if call.endpoint == .getSyncStatus { return answers.json(try await status()) }
        guard let control else {
            throw ParseError(.operationForbidden, "This gateway is standalone: it has no remote to sync with.")
        }
        switch call.endpoint {
        case .startSync:
            return try await start(control, try request(call), waits: call.parse.parameters.flag("wait"))
        case .pauseSync:
            try await control.pause()
            return answers.json(try await status(control))
        case .resumeSync:
            try await control.resume()
            return answers.json(try await status(control))
        case .listPending: return answers.results(try await control.pending())
        case .listRejections: return answers.results(try await control.rejections())
        case .listConflicts:
            return answers.results(try await control.conflicts(resolved: try asksForResolved(call)))
        case .listRemovals: return answers.results(try await control.removals())
        case .listSyncedClasses: return answers.results(try await control.classes())
        case .getSyncedClass: return answers.json(try await syncedClass(call.parameters[0], control))
        case .registerClass:
            return answers.json(
                try await control.registerClass(try className(call), options: try call.parse.body.fields))
        case .unregisterClass:
            let parameters = call.parse.parameters
            try await control.unregisterClass(
                call.parameters[0], purge: parameters.flag("purge"), force: parameters.flag("force"))
        case .purgeObjects: return answers.json(["purged": .int(try await purge(call, control))])
        default: try await decide(call, control)
        }
        return answers.json([:])
    }

    /// What a person decides of one pending change, rejection, conflict or removal.
    private func decide(_ call: Call, _ control: any SyncControl) async throws {
        guard let id = Int64(call.parameters[0]) else { throw StoreError.notFound(what: "id \(call.parameters[0])") }
        switch call.endpoint {
        case .undoPending: try await control.undoPending(id)
        case .retryRejection: try await control.retryRejection(id, object: try object(call))
        case .giveUpRejection: try await control.giveUpRejection(id)
        case .resolveConflict:
            let object = try object(call)
            try await control.resolveConflict(id, keep: try keep(call, isNeeded: object == nil), object: object)
        case .confirmRemoval: try await control.confirmRemoval(id)
        case .keepRemoval: try await control.keepRemoval(id)
        default: throw APIError.noRoute
        }
    }

    private func request(_ call: Call) throws(ParseError) -> SyncRequest {
        let audits = call.parse.parameters.flag("audit")
        guard let name = call.parse.parameters.text("phase") else { return SyncRequest(audits: audits) }
        guard let phase = SyncRequest.Phase(rawValue: name) else {
            throw ParseError(.invalidQuery, "phase must be \"push\" or \"pull\".")
        }
        guard phase == .pull || !audits else { throw ParseError(.invalidQuery, "An audit is part of a pull.") }
        return SyncRequest(phase: phase, audits: audits)
    }

    private func purge(_ call: Call, _ control: any SyncControl) async throws -> Int {
        var parameters = call.parse.parameters
        let force = parameters.flag("force")
        parameters["force"] = nil
        if let name = parameters.keys.first(where: { $0 != "where" && !$0.hasPrefix("_") }) {
            throw ParseError(.invalidQuery, "Invalid parameter for a purge: \(name)")
        }
        var query = try ParseQuery(parameters: parameters)
        query.limit = .max
        query.predicate = try Redirection(store: store).resolved(query.predicate)
        return try await control.purgeObjects(
            of: call.parameters[0], parameters["where"] == nil ? nil : query, force: force)
    }

    private func start(
        _ control: any SyncControl, _ request: SyncRequest, waits: Bool
    ) async throws -> HTTPServerResponse {
        guard waits else {
            let before = try await control.status()
            guard before["state"] != "paused" else { throw APIError.syncPaused }
            await control.start(request)
            return answers.json(try await status(control), status: .accepted)
        }
        switch try await remoteWaits.hold({ await control.run(request) }) {
        case .finished(let summary): return answers.json(summary)
        case .unreachable(let reason): throw APIError.remoteUnreachable(reason: reason)
        case .unauthorized(let reason): throw APIError.remoteUnauthorized(reason: reason)
        case .paused: throw APIError.syncPaused
        case .diskFull: throw StoreError.diskFull
        case .failed(let reason): throw APIError.syncFailed(reason: reason)
        }
    }

    /// The answer of `GET /sync`.
    func status() async throws -> JSONObject {
        if let control { return try await status(control) }
        var status = try standaloneStatus()
        status["fileBytesMax"] = .int(fileBytesMax)
        return status
    }

    private func status(_ control: any SyncControl) async throws -> JSONObject {
        var status: JSONObject = ["mode": "replica"]
        for (name, value) in try await control.status() { status[name] = value }
        status["fileBytesMax"] = .int(fileBytesMax)
        return status
    }

    /// The class, with its fields as far as the remote has told of them.
    private func syncedClass(_ name: String, _ control: any SyncControl) async throws -> JSONObject {
        guard var found = try await control.classes().first(where: { $0["name"] == .string(name) }) else {
            throw StoreError.notFound(what: "the class \(name) among those that are synced")
        }
        if let schema = try store.schema(of: name) { found["fields"] = schema.json["fields"] }
        return found
    }

    private func className(_ call: Call) throws(ParseError) -> String {
        try ObjectRoutes.Target(call.endpoint, path: call.parameters).className
    }

    /// - Returns: nil where the decision is to be read from the object beside it.
    private func keep(_ call: Call, isNeeded: Bool) throws(ParseError) -> String? {
        let fields = try call.parse.body.fields
        if !isNeeded, fields["keep"]?.isNull ?? true { return nil }
        guard let keep = fields.text("keep") else {
            throw ParseError(
                .invalidJSON, #"keep must say what to keep ("local", "remote" or "merge"), or object what to set."#)
        }
        return keep
    }

    /// The field values that come with a decision; nil where there are none.
    private func object(_ call: Call) throws(ParseError) -> JSONObject? {
        switch try call.parse.body.fields["object"] {
        case nil, .null: return nil
        case .object(let object): return object
        default: throw ParseError(.invalidJSON, "object must be a JSON object.")
        }
    }

    private func asksForResolved(_ call: Call) throws(ParseError) -> Bool {
        switch call.parse.parameters.text("state") {
        case nil, "open": return false
        case "resolved": return true
        default: throw ParseError(.invalidQuery, "state must be \"open\" or \"resolved\".")
        }
    }

    /// What a replica's page asks for, so that the same page works here: nothing is ever waiting.
    private func standaloneStatus() throws -> JSONObject {
        let counting = try ParseQuery(parameters: ["count": 1, "limit": 0])
        let classes = try store.classNames().map { name in
            let count = try store.find(name, counting).count ?? 0
            let shown: JSONObject = [
                "name": .string(name), "objects": .int(count), "pending": 0, "initialSyncComplete": true,
            ]
            return JSONValue.object(shown)
        }
        return [
            "mode": "standalone", "state": "idle", "online": true, "initialSyncComplete": true, "lastSyncAt": nil,
            "lastError": nil, "pending": 0, "rejections": 0, "conflicts": 0, "removals": 0, "progress": nil,
            "classes": .array(classes),
        ]
    }
}
