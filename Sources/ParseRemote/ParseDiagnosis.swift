import RemoteService

/// The results of `tidegate doctor` for a Parse Server.
struct ParseDiagnosis: Sendable {
    enum Finding<Value: Sendable>: Sendable {
        case known(Value)
        case failed(RemoteError)
        /// Not checked. `reason` says why: for example, an earlier check failed, or the necessary key is missing.
        case notAsked(reason: String)
    }

    /// The `status` that the health check of the server reports; `ok` for a healthy server.
    var health: Finding<String>
    /// Whether the server accepts the keys.
    var keys: Finding<Void>
    /// Whether a create may name its own objectId.
    var acceptsChosenIds: Finding<Bool>
    /// If the server lists its classes: the names of all classes. Otherwise: those classes of the settings that have objects.
    var classes: Finding<[String]>
    /// Whether the server lists its classes.
    var listsAllClasses = true
    /// Whether the remote is a Tidegate replica. A replica cannot be a remote.
    var remoteIsReplica: Bool
}

extension ParseDiagnosis {
    /// The results in words for users.
    /// - Parameters:
    ///   - hasRestKey: whether the settings have a REST key.
    ///   - classes: the classes named in the settings.
    func findings(hasRestKey: Bool, classes named: [String]) -> [RemoteFinding] {
        guard !remoteIsReplica else {
            // A remote that is a replica refuses all further checks.
            return [
                RemoteFinding(
                    "remote", .failed, "The remote is a replica. A replica cannot be a remote.",
                    hint: "set --remote to the server that this replica follows")
            ]
        }
        if case .failed(.misaddressed) = health, case .failed(.misaddressed(let status, let reason)) = keys {
            return [
                RemoteFinding(
                    "remote", .failed,
                    "The server at this address is not a Parse Server: \(reason), with status \(status)",
                    hint: "check the address and its path; a Parse Server is often mounted at /parse")
            ]
        }
        return [healthFinding, keysFinding(hasRestKey: hasRestKey), chosenIdsFinding]
            + opFieldFindings + classFindings(named)
    }

    private var healthFinding: RemoteFinding {
        if case .failed(.misaddressed) = health, case .known = keys {
            return RemoteFinding(
                "health", .noted, "The remote has no health endpoint, but it answers other requests.")
        }
        if case .failed(let error) = health { return .noAnswer(error) }
        return health.finding("health", failed: "") { "The remote answers: \($0)" }
    }

    private func keysFinding(hasRestKey: Bool) -> RemoteFinding {
        let hint =
            "compare --app-id and the keys with those of the server"
            + (hasRestKey ? "" : ", which may also require --rest-key")
        return keys.finding("keys", failed: "The remote rejects the keys", hint: hint) {
            "The remote accepts the keys."
        }
    }

    private var chosenIdsFinding: RemoteFinding {
        acceptsChosenIds.finding("chosenIds", failed: "Ids chosen by clients could not be tested") { accepts in
            accepts
                ? "The remote accepts ids chosen by clients: new objects keep their local id."
                : "The remote assigns ids: new objects get the remote's id when they are pushed. The local id stays valid here."
        }
    }

    /// A recommendation to use an `opField`. It is given for servers on which only an operation id (the id of a change
    /// in its row) proves whether a create with a lost answer was executed.
    private var opFieldFindings: [RemoteFinding] {
        guard case .known(false) = acceptsChosenIds else { return [] }
        return [
            RemoteFinding(
                RemoteFinding.opField, .noted,
                "An opField is recommended: it proves whether a create with a lost answer was executed, even if other clients have edited the object.",
                hint: "set the class option \"opField\": true")
        ]
    }

    private func classFindings(_ named: [String]) -> [RemoteFinding] {
        let list = classes.finding("classes", failed: "The classes could not be listed") { names in
            names.isEmpty
                ? "The remote has no classes with objects yet."
                : (listsAllClasses ? "Classes of the remote: " : "Classes that have objects on the remote: ")
                    + names.joined(separator: ", ")
        }
        guard case .known(let names) = classes else { return [list] }
        return [list]
            + named.filter { !names.contains($0) }.map {
                RemoteFinding(
                    "class", .noted, "\($0) has no objects on the remote yet. The first object creates the class.")
            }
    }
}

extension ParseDiagnosis.Finding {
    fileprivate func finding(
        _ name: String, failed: String, hint: String? = nil, known: (Value) -> String
    ) -> RemoteFinding {
        switch self {
        case .known(let value): return RemoteFinding(name, .ok, known(value))
        case .failed(let error): return RemoteFinding(name, failed: failed, error, hint: hint)
        case .notAsked(let reason): return RemoteFinding(name, .notAsked, reason)
        }
    }
}
