import ParseModel
import RemoteService

/// A diagnosis in words: one line for each finding, and a hint under what is wrong.
struct DoctorReport {
    /// One thing that was looked at.
    struct Finding {
        enum State: String { case ok, failed, notAsked, noted }

        let name: String
        let state: State
        let text: String
        var hint: String?
    }

    private(set) var findings: [Finding] = []

    /// - Parameter classes: those that the settings name.
    init(_ diagnosis: RemoteDiagnosis, hasRestKey: Bool, classes: [String]) {
        guard !diagnosis.isReplica else {
            // Such a remote refuses every other question too.
            fail(
                "remote", "The remote is itself a replica, and cannot be a remote.",
                hint: "name the server that it follows")
            return
        }
        switch (diagnosis.health, diagnosis.keys) {
        case (.failed(.misaddressed), .known):
            findings.append(
                Finding(name: "health", state: .noted, text: "It has no health check, and answers all the same."))
        case (.failed(.misaddressed), .failed(.misaddressed(let status, let reason))):
            fail(
                "remote", "The server there is no Parse Server: \(reason), with status \(status)",
                hint: "is the address right, with its path? A Parse Server is often mounted at /parse")
            return
        default:
            add(
                "health", diagnosis.health, failed: "The remote does not answer",
                hint: "the gateway works without it and syncs later"
            ) {
                "The remote answers: \($0)"
            }
        }
        let keyHint =
            hasRestKey ? "compare --app-id and the keys with the server's" : "does the server want --rest-key?"
        add("keys", diagnosis.keys, failed: "The keys are not accepted", hint: keyHint) { "The keys are accepted." }
        add("chosenIds", diagnosis.acceptsChosenIds, failed: "Chosen ids could not be tried", hint: nil) { accepts in
            accepts
                ? "It accepts ids chosen by clients: objects keep the id that they get here."
                : "It makes ids itself: objects get the remote's id when they are sent; the local one stays valid here."
        }
        add("classes", diagnosis.classes, failed: "The classes could not be listed", hint: nil) { names in
            names.isEmpty ? "It has no classes with objects yet." : "Its classes: \(names.joined(separator: ", "))"
        }
        if case .known(let names) = diagnosis.classes {
            for name in classes where !names.contains(name) {
                let text = "\(name) has no objects there yet; the first one makes the class."
                findings.append(Finding(name: "class", state: .noted, text: text))
            }
        }
    }

    var isHealthy: Bool { !findings.contains { $0.state == .failed } }

    /// For people.
    var lines: [String] {
        findings.flatMap { finding in
            let line =
                switch finding.state {
                case .ok: "✓ \(finding.text)"
                case .failed: "✗ \(finding.text)"
                case .notAsked: "– Not asked: \(finding.text)"
                case .noted: "  \(finding.text)"
                }
            return [line] + (finding.hint.map { ["  → \($0)"] } ?? [])
        }
    }

    /// For programs.
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
                hint: isLater ? "it wants no requests for a while; try again later" : hint)
        case .notAsked(let reason): findings.append(Finding(name: name, state: .notAsked, text: reason))
        }
    }

    private mutating func fail(_ name: String, _ text: String, hint: String?) {
        findings.append(Finding(name: name, state: .failed, text: text, hint: hint))
    }
}
