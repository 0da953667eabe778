import ParseModel
import RemoteService

/// Findings about the remote as text and as JSON. A failed finding can have a hint, which is a further line of the text.
struct DoctorReport {
    let findings: [RemoteFinding]

    init(_ findings: [RemoteFinding]) { self.findings = findings }

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
}
