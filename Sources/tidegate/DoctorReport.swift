import ParseModel
import RemoteService

/// A diagnosis of the remote as text and as JSON. A failed finding can have a hint, which is a further line of the text.
struct DoctorReport {
    /// The result of one check.
    struct Finding {
        enum State: String { case ok, failed, notAsked, noted }

        let name: String
        let state: State
        let text: String
        var hint: String?
    }

    private(set) var findings: [Finding] = []

    /// - Parameters:
    ///   - hasRestKey: whether a REST key is configured.
    ///   - classes: the configured classes.
    init(_ diagnosis: RemoteDiagnosis, hasRestKey: Bool, classes: [String]) {
        defer { for offer in diagnosis.lacking { note(offer) } }
        // A remote without a probe cannot be checked. The report names only the optional parts that the remote lacks.
        if diagnosis.lacking.contains(.probe) { return }
        guard !diagnosis.isReplica else {
            // A remote that is a replica refuses all further checks.
            fail(
                "remote", "The remote is a replica. A replica cannot be a remote.",
                hint: "set --remote to the server that this replica follows")
            return
        }
        switch (diagnosis.health, diagnosis.keys) {
        case (.failed(.misaddressed), .known):
            findings.append(
                Finding(
                    name: "health", state: .noted,
                    text: "The remote has no health endpoint, but it answers other requests."))
        case (.failed(.misaddressed), .failed(.misaddressed(let status, let reason))):
            fail(
                "remote", "The server at this address is not a Parse Server: \(reason), with status \(status)",
                hint: "check the address and its path; a Parse Server is often mounted at /parse")
            return
        default:
            add(
                "health", diagnosis.health, failed: "The remote does not answer",
                hint: "the gateway works offline and syncs later"
            ) {
                "The remote answers: \($0)"
            }
        }
        let keyHint =
            hasRestKey ? "compare --app-id and the keys with those of the server" : "the server may require --rest-key"
        add("keys", diagnosis.keys, failed: "The remote rejects the keys", hint: keyHint) {
            "The remote accepts the keys."
        }
        add("chosenIds", diagnosis.acceptsChosenIds, failed: "Ids chosen by clients could not be tested", hint: nil) {
            accepts in
            accepts
                ? "The remote accepts ids chosen by clients: new objects keep their local id."
                : "The remote assigns ids: new objects get the remote's id when they are pushed. The local id stays valid here."
        }
        add("classes", diagnosis.classes, failed: "The classes could not be listed", hint: nil) { names in
            names.isEmpty
                ? "The remote has no classes with objects yet."
                : "Classes of the remote: \(names.joined(separator: ", "))"
        }
        if case .known(let names) = diagnosis.classes {
            for name in classes where !names.contains(name) {
                let text = "\(name) has no objects on the remote yet. The first object creates the class."
                findings.append(Finding(name: "class", state: .noted, text: text))
            }
        }
    }

    var isHealthy: Bool { !findings.contains { $0.state == .failed } }

    /// One line for each finding and each hint.
    var lines: [String] {
        findings.flatMap { finding in
            let line =
                switch finding.state {
                case .ok: "✓ \(finding.text)"
                case .failed: "✗ \(finding.text)"
                case .notAsked: "– Not checked: \(finding.text)"
                case .noted: "  \(finding.text)"
                }
            return [line] + (finding.hint.map { ["  → \($0)"] } ?? [])
        }
    }

    /// An array of `{"name", "state", "text", "hint"}`, with `hint` optional.
    var json: [JSONValue] {
        findings.map { finding in
            var object: JSONObject = [
                "name": .string(finding.name), "state": .string(finding.state.rawValue), "text": .string(finding.text),
            ]
            if let hint = finding.hint { object["hint"] = .string(hint) }
            return .object(object)
        }
    }

    private mutating func add<Value>(
        _ name: String, _ finding: RemoteDiagnosis.Finding<Value>, failed: String, hint: String?,
        known: (Value) -> String
    ) {
        switch finding {
        case .known(let value): findings.append(Finding(name: name, state: .ok, text: known(value)))
        case .failed(let error):
            let isLater = if case .overloaded = error { true } else { false }
            fail(
                name, "\(failed): \(error)",
                hint: isLater ? "the remote limits its requests; try again later" : hint)
        case .notAsked(let reason): findings.append(Finding(name: name, state: .notAsked, text: reason))
        }
    }

    /// Adds a finding about an optional part that the remote lacks.
    private mutating func note(_ offer: RemoteDiagnosis.Offer) {
        let part =
            switch offer {
            case .probe: "A check of the server is"
            case .files: "Files are"
            case .relations: "Members of relations are"
            case .calls: "Calls that only the remote can answer, such as cloud functions, are"
            }
        findings.append(
            Finding(name: offer.rawValue, state: .noted, text: "\(part) not offered by this kind of remote."))
    }

    private mutating func fail(_ name: String, _ text: String, hint: String?) {
        findings.append(Finding(name: name, state: .failed, text: text, hint: hint))
    }
}
