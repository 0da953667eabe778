import ParseModel

/// The texts of `tidegate import`.
enum ImportTexts {
    /// The result of an import in one line, and a line for each of the first refusals.
    static func summary(_ result: JSONObject, of name: String, isDryRun: Bool) -> String {
        func count(_ key: String) -> Int { result[key]?.int ?? 0 }
        let isWritten = result["written"] == true
        let verbs = isWritten ? ["made", "changed"] : ["would be made", "would be changed"]
        let counts = zip(["made", "changed", "unchanged", "refused"], verbs + ["unchanged", "refused"])
            .map { "\(count($0)) \($1)" }.joined(separator: ", ")
        var lines: [String] = []
        if let error = result["error"]?.string { lines.append("\(name): \(error)") }
        if result["objects"] != nil {
            lines.append(
                "\(name): \(counts)\(isDryRun ? " (checked only)" : isWritten ? "" : " (nothing was written)")")
        }
        let refusals = result["refusals"]?.array?.compactMap(\.object) ?? []
        for refusal in refusals.prefix(refusalsMax) {
            lines.append("  line \(refusal["line"]?.int ?? 0): \(refusal["error"]?.string ?? "")")
        }
        let left = count("refused") - min(refusals.count, refusalsMax)
        if left > 0 { lines.append("  and \(left) more") }
        return lines.joined(separator: "\n")
    }

    private static let refusalsMax = 20

    /// The progress in one line: `Checking Task · 300000 objects · 45% · 12 s left`.
    static func progress(_ progress: JSONObject, of name: String, after seconds: Double, isDryRun: Bool) -> String {
        let isWrite = progress["pass"] == "write"
        let total = max(1, progress["bytesTotal"]?.int ?? 1)
        let part = Double(progress["bytes"]?.int ?? 0) / Double(total)
        let done = isDryRun ? part : (isWrite ? 0.5 : 0) + part / 2
        var parts = ["\(isWrite ? "Writing" : "Checking") \(name)", (progress["objects"]?.int ?? 0).counted("object")]
        parts.append("\(Int(done * 100))%")
        if done > 0.02 { parts.append("\(Int(seconds / done - seconds)) s left") }
        if let refused = progress["refused"]?.int, refused > 0 { parts.append("\(refused) refused") }
        return parts.joined(separator: " · ")
    }
}
