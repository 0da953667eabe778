import ParseModel
import StoreService

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

    /// A line for each name of `--rename` and `--type` that no object of any file has, such as a misspelt one.
    static func missingFields(_ results: [JSONObject]) -> [String] {
        let missing = results.map { Set($0["missingFields"]?.array?.compactMap(\.string) ?? []) }
        guard let first = missing.first else { return [] }
        return missing.reduce(first) { $0.intersection($1) }.sorted()
            .map { "No object has the field \($0) of --rename or --type." }
    }

    private static let refusalsMax = 20

    /// How far the import of a file is, by the gateway's line about it.
    static func progress(_ line: JSONObject, of name: String, isDryRun: Bool) -> WorkProgress {
        let isWrite = line["pass"] == "write"
        let total = max(1, line["bytesTotal"]?.int ?? 1)
        let part = Double(line["bytes"]?.int ?? 0) / Double(total)
        return WorkProgress(
            step: "\(isWrite ? "Writing" : "Checking") \(name)", unit: .objects, done: line["objects"]?.int ?? 0,
            part: isDryRun ? part : (isWrite ? 0.5 : 0) + part / 2)
    }

    /// The number of refused objects in the gateway's line about the progress; nil without any.
    static func refused(_ line: JSONObject) -> String? {
        line["refused"]?.int.flatMap { $0 > 0 ? "\($0) refused" : nil }
    }
}
