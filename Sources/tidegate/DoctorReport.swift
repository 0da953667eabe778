import RemoteService

/// A diagnosis in words: one line for each finding, and a hint under what is wrong.
struct DoctorReport {
    private(set) var lines: [String] = []
    private(set) var isHealthy = true

    /// - Parameter classes: those that the settings name.
    init(_ diagnosis: RemoteDiagnosis, hasRestKey: Bool, classes: [String]) {
        guard !diagnosis.isReplica else {
            // Such a remote refuses every other question too.
            fail("The remote is itself a replica, and cannot be a remote.", hint: "name the server that it follows")
            return
        }
        add(
            diagnosis.health, failed: "The remote does not answer", hint: "the gateway works without it and syncs later"
        ) {
            "The remote answers: \($0)"
        }
        let keyHint =
            hasRestKey ? "compare --app-id and the keys with the server's" : "does the server want --rest-key?"
        add(diagnosis.keys, failed: "The keys are not accepted", hint: keyHint) { "The keys are accepted." }
        add(diagnosis.acceptsChosenIds, failed: "Chosen ids could not be tried", hint: nil) { accepts in
            accepts
                ? "It accepts ids chosen by clients: objects keep the id that they get here."
                : "It makes ids itself: objects get the remote's id when they are sent; the local one stays valid here."
        }
        add(diagnosis.classes, failed: "The classes could not be listed", hint: nil) { names in
            names.isEmpty ? "It has no classes with objects yet." : "Its classes: \(names.joined(separator: ", "))"
        }
        if case .known(let names) = diagnosis.classes {
            for name in classes where !names.contains(name) {
                lines.append("  \(name) has no objects there yet; the first one makes the class.")
            }
        }
    }

    private mutating func add<Value>(
        _ finding: RemoteDiagnosis.Finding<Value>, failed: String, hint: String?, known: (Value) -> String
    ) {
        switch finding {
        case .known(let value): lines.append("✓ \(known(value))")
        case .failed(let error): fail("\(failed): \(Self.text(error))", hint: Self.hint(error) ?? hint)
        case .notAsked(let reason): lines.append("– Not asked: \(reason)")
        }
    }

    private mutating func fail(_ line: String, hint: String?) {
        isHealthy = false
        lines.append("✗ \(line)")
        if let hint { lines.append("  → \(hint)") }
    }

    private static func text(_ error: RemoteError) -> String {
        switch error {
        case .unreachable(let reason), .interrupted(let reason), .overloaded(_, let reason): reason
        case .faulty(let status, let reason): "status \(status), \(reason)"
        case .tooMuch(let reason): reason
        case .unauthorized(let message): message
        case .refused(let code, let message): "\(message) (code \(code))"
        }
    }

    private static func hint(_ error: RemoteError) -> String? {
        switch error {
        case .faulty(404, _): "is the path right? A Parse Server is often mounted at /parse"
        case .overloaded: "it asks to be left alone for a while; try again later"
        default: nil
        }
    }
}
