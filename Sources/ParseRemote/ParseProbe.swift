import ParseModel
import RemoteService

/// The checks of `tidegate doctor` for a Parse Server. They change nothing on the server.
struct ParseProbe: RemoteProbe {
    let remote: ParseRemote
    private var exchange: ParseExchange { remote.exchange }

    /// Whether the answer comes from a Parse Server: a list of objects, an error with a Parse code, or status 403 with
    /// a body that has only an error text. A Parse Server gives the last answer to a request without a valid
    /// application id.
    func recognizesServer(classes: [String]) async throws(RemoteError) -> Bool {
        let query = ListQuery(className: classes.first ?? "Tidegate", limit: 0)
        let response = try await exchange.response(to: exchange.requests.list(query))
        guard let answer = try? JSONReader.read(response.body).object else { return false }
        if answer["results"]?.array != nil { return true }
        guard answer["error"]?.string != nil else { return false }
        return answer["code"]?.int != nil || response.status.code == 403 && answer.count == 1
    }

    /// - Parameter classes: the classes named in the settings.
    func diagnose(classes: [String]) async -> [RemoteFinding] {
        let findings = await diagnosis(of: classes)
            .findings(hasRestKey: exchange.configuration.restKey != nil, classes: classes)
        return findings + [await version()].compactMap { $0 }
    }

    /// The version that the server shows to the master key, for display only; nil if the server shows none.
    private func version() async -> RemoteFinding? {
        guard exchange.configuration.masterKey != nil,
            let response = try? await exchange.response(to: exchange.requests.get("/serverInfo")),
            case .success(let info) = exchange.reader.read(response),
            let version = info.object?["parseServerVersion"]?.string
        else { return nil }
        return RemoteFinding(
            "version", .ok, "The remote says that it is Parse Server \(exchange.reader.clean(version)).")
    }

    func diagnosis(of classes: [String]) async -> ParseDiagnosis {
        let health = await finding { () async throws(RemoteError) in try await self.health() }
        if let reason = health.endsDiagnosis {
            return ParseDiagnosis(
                health: health, keys: .notAsked(reason: reason), acceptsChosenIds: .notAsked(reason: reason),
                classes: .notAsked(reason: reason), remoteIsReplica: health.error == .remoteIsReplica)
        }
        let keys = await finding { () async throws(RemoteError) in try await self.checkKeys(classes) }
        if let error = keys.error {
            let reason = "the keyed question failed"
            return ParseDiagnosis(
                health: health, keys: keys, acceptsChosenIds: .notAsked(reason: reason),
                classes: .notAsked(reason: reason), remoteIsReplica: error == .remoteIsReplica)
        }
        let hasMasterKey = exchange.configuration.masterKey != nil
        // Without the master key, only a Tidegate lists its classes.
        let listed = hasMasterKey ? nil : (try? await classNames()) ?? nil
        let filled = await finding { () async throws(RemoteError) in
            try await self.classesWithObjects(classes.isEmpty ? listed ?? [] : classes)
        }
        let acceptsChosenIds = await acceptsChosenIds(filled)
        let known: ParseDiagnosis.Finding<[String]> =
            if hasMasterKey {
                await finding { () async throws(RemoteError) in try await self.allClasses() }
            } else if let listed, case .known(let filled) = filled {
                // The list has no special classes, such as _User.
                .known(listed + filled.filter { !listed.contains($0) })
            } else if listed == nil, classes.isEmpty {
                .notAsked(reason: "without the master key a Parse Server names no classes")
            } else {
                filled
            }
        let errors = [filled.error, acceptsChosenIds.error, known.error]
        return ParseDiagnosis(
            health: health, keys: keys, acceptsChosenIds: acceptsChosenIds, classes: known,
            listsAllClasses: hasMasterKey || listed != nil, remoteIsReplica: errors.contains(.remoteIsReplica))
    }

    /// The `status` that `/health` reports; `ok` for a healthy server.
    private func health() async throws(RemoteError) -> String {
        let response = try await exchange.response(to: exchange.requests.get("/health"))
        guard let status = try exchange.reader.read(response).orRemoteError().object?["status"]?.string else {
            throw .faulty(status: response.status.code, reason: "the health check does not tell a status")
        }
        return exchange.reader.clean(status)
    }

    /// Checks the client key with a query, and then the master key. A refusal of the query with a Parse error code proves that
    /// the server has accepted the client key.
    private func checkKeys(_ classes: [String]) async throws(RemoteError) {
        let reply = try await exchange.only(ListQuery(className: classes.first ?? "Tidegate", limit: 0))
        do {
            _ = try reply.results()
        } catch {
            guard case .refused = error, error != .remoteIsReplica else { throw error }
        }
        do {
            try await remote.requireFullAccess()
        } catch {
            // Any other error does not tell whether the master key is accepted. `allClasses` later reports it.
            if case .unauthorized = error { throw error }
        }
    }

    /// The classes in the settings that have at least one readable object.
    private func classesWithObjects(_ classes: [String]) async throws(RemoteError) -> [String] {
        var filled: [String] = []
        for reply in try await exchange.list(classes.map { ListQuery(className: $0, keys: "objectId", limit: 1) }) {
            do {
                if try !reply.results().isEmpty { filled.append(reply.query.className) }
            } catch {
                guard case .refused = error, error != .remoteIsReplica else { throw error }
            }
        }
        return filled
    }

    /// Finds out whether a create may choose its own objectId. The probe (a create that no server executes) uses a
    /// class that has objects, because it could create a missing class.
    private func acceptsChosenIds(_ filled: ParseDiagnosis.Finding<[String]>) async -> ParseDiagnosis.Finding<Bool> {
        guard case .known(let filled) = filled, let className = filled.first else {
            return .notAsked(reason: "none of the classes is known to have objects")
        }
        return await finding { () async throws(RemoteError) in try await remote.acceptsChosenIds(in: className) }
    }

    private func allClasses() async throws(RemoteError) -> [String] {
        try await ParseSchemas(exchange: exchange).classSchemas().map(\.className)
    }

    /// A Parse Server lists its classes for the master key. A standalone Tidegate lists those that the caller may list.
    func classNames() async throws(RemoteError) -> [String]? {
        let names: [String]?
        if exchange.configuration.masterKey != nil {
            names = try await allClasses()
        } else {
            let response = try await exchange.response(to: exchange.requests.get("/sync"))
            guard case .success(let status) = exchange.reader.read(response) else { return nil }
            names = status.object?["classes"]?.array?.compactMap { $0.object?["name"]?.string }
        }
        return names?.filter { !$0.hasPrefix("_") && ClassName.isValid($0) }
    }

    private func finding<Value: Sendable>(
        _ ask: () async throws(RemoteError) -> Value
    ) async -> ParseDiagnosis.Finding<Value> {
        do {
            return .known(try await ask())
        } catch {
            return .failed(error)
        }
    }
}

extension ParseDiagnosis.Finding {
    fileprivate var error: RemoteError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// The reason to skip the remaining checks; nil to continue. A server that has no health check is still checked.
    fileprivate var endsDiagnosis: String? {
        switch error {
        case .unreachable, .interrupted: "the server cannot be reached"
        case .some(.remoteIsReplica): "the remote is itself a replica"
        default: nil
        }
    }
}
