import ParseModel
import RemoteService

extension ParseRemote: RemoteProbe {
    package func diagnose(classes: [String]) async -> RemoteDiagnosis {
        await Diagnosis(remote: self, classes: classes).run()
    }
}

/// The questions of `tidegate doctor` to a Parse Server, step by step. They change nothing on the server.
struct Diagnosis {
    let remote: ParseRemote
    /// The classes that the settings name.
    let classes: [String]

    func run() async -> RemoteDiagnosis {
        let health = await finding { () async throws(RemoteError) in try await self.health() }
        if let reason = health.endsDiagnosis {
            return RemoteDiagnosis(
                health: health, keys: .notAsked(reason: reason), acceptsChosenIds: .notAsked(reason: reason),
                classes: .notAsked(reason: reason), isReplica: health.error == .isReplica)
        }
        let keys = await finding { () async throws(RemoteError) in try await self.checkKeys() }
        if let error = keys.error {
            let reason = "the keyed question failed"
            return RemoteDiagnosis(
                health: health, keys: keys, acceptsChosenIds: .notAsked(reason: reason),
                classes: .notAsked(reason: reason), isReplica: error == .isReplica)
        }
        let filled = await finding { () async throws(RemoteError) in try await self.classesWithObjects() }
        let acceptsChosenIds = await acceptsChosenIds(filled)
        let classes: RemoteDiagnosis.Finding<[String]> =
            remote.configuration.masterKey == nil
            ? classes.isEmpty ? .notAsked(reason: "without the master key a server names no classes") : filled
            : await finding { () async throws(RemoteError) in try await self.allClasses() }
        let errors = [filled.error, acceptsChosenIds.error, classes.error]
        return RemoteDiagnosis(
            health: health, keys: keys, acceptsChosenIds: acceptsChosenIds, classes: classes,
            isReplica: errors.contains(.isReplica))
    }

    /// The server's state as it names it; `ok` if it is healthy.
    private func health() async throws(RemoteError) -> String {
        let response = try await remote.response(to: remote.requests.get("/health"))
        guard let status = try remote.reader.read(response).orRemoteError().object?["status"]?.string else {
            throw .faulty(status: response.status.code, reason: "the health check does not tell a status")
        }
        return remote.reader.clean(status)
    }

    /// A refusal with an error code follows the check of the keys, so the client key was accepted.
    private func checkKeys() async throws(RemoteError) {
        let reply = try await remote.only(ListQuery(className: classes.first ?? "Tidegate", limit: 0))
        do {
            _ = try reply.results()
        } catch {
            guard case .refused = error, error != .isReplica else { throw error }
        }
        try await checkMasterKey()
    }

    /// Checks the master key with the list of schemas, which requires it. Other requests do not reveal a wrong master key: a
    /// Parse Server without client keys ignores it.
    private func checkMasterKey() async throws(RemoteError) {
        guard remote.configuration.masterKey != nil else { return }
        do {
            _ = try await remote.classSchemas()
        } catch {
            switch error {
            case .unauthorized: throw error
            case .refused(ParseError.Code.operationForbidden.rawValue, let message):
                throw .unauthorized(message: message)
            // Other answers say nothing about the key. The list of classes checks it too.
            default: return
            }
        }
    }

    /// The given classes with at least one readable object.
    private func classesWithObjects() async throws(RemoteError) -> [String] {
        var filled: [String] = []
        for reply in try await remote.list(classes.map { ListQuery(className: $0, keys: "objectId", limit: 1) }) {
            do {
                if try !reply.results().isEmpty { filled.append(reply.query.className) }
            } catch {
                guard case .refused = error, error != .isReplica else { throw error }
            }
        }
        return filled
    }

    /// Probes only a class with objects, because the probe could create any other class.
    private func acceptsChosenIds(_ filled: RemoteDiagnosis.Finding<[String]>) async -> RemoteDiagnosis.Finding<Bool> {
        guard case .known(let filled) = filled, let className = filled.first else {
            return .notAsked(reason: "none of the classes is known to have objects")
        }
        return await finding { () async throws(RemoteError) in try await remote.acceptsChosenIds(in: className) }
    }

    private func allClasses() async throws(RemoteError) -> [String] {
        try await remote.classSchemas().map(\.className)
    }

    private func finding<Value: Sendable>(
        _ ask: () async throws(RemoteError) -> Value
    ) async -> RemoteDiagnosis.Finding<Value> {
        do {
            return .known(try await ask())
        } catch {
            return .failed(error)
        }
    }
}

extension RemoteDiagnosis.Finding {
    fileprivate var error: RemoteError? {
        if case .failed(let error) = self { error } else { nil }
    }

    /// The reason to ask nothing further: the server is unreachable, or is a replica. A missing health check alone is not a reason.
    fileprivate var endsDiagnosis: String? {
        switch error {
        case .unreachable, .interrupted: "the server cannot be reached"
        case .some(.isReplica): "the remote is itself a replica"
        default: nil
        }
    }
}
