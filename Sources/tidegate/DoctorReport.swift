import RemoteService

/// Formats the findings about the remote as text. A failed finding can have a hint, which is a further line
/// of the text.
struct DoctorReport {
    let findings: [RemoteFinding]

    init(_ findings: [RemoteFinding]) { self.findings = findings }

    /// One line for each finding and each hint. Checks that were left out for the same reason share one line, in the
    /// place of the first of them.
    var lines: [String] {
        var reasons: Set<String> = []
        return findings.flatMap { finding -> [String] in
            let line: String
            switch finding.state {
            case .ok: line = "✓ \(finding.text)"
            case .failed: line = "✗ \(finding.text)"
            case .noted: line = "  \(finding.text)"
            case .notAsked:
                guard reasons.insert(finding.text).inserted else { return [] }
                line = "– Not checked: \(subjects(leftOutBecause: finding.text)). Reason: \(finding.text)"
            }
            return [line] + (finding.hint.map { ["  → \($0)"] } ?? [])
        }
    }

    /// The checks that were left out for a reason, in words: `keys, chosen ids, classes`.
    private func subjects(leftOutBecause reason: String) -> String {
        findings.filter { $0.state == .notAsked && $0.text == reason }.map { Self.words(of: $0.name) }
            .joined(separator: ", ")
    }

    /// The name of a finding in words: `chosen ids` for `chosenIds`.
    private static func words(of name: String) -> String {
        name.reduce(into: "") { words, letter in
            words += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
        }
    }
}
