import ParseModel

/// Turns responses of `/sync` into text. Every member of a response is optional.
enum SyncText {
    /// The text of a sync's summary: `Synced: 3 pulled, 1 pushed, 0 removed in 0.2 s.`, followed by a line about open decisions
    /// and a line for each warning.
    static func summary(_ summary: JSONObject) -> String {
        func count(_ key: String) -> Int { summary[key]?.int ?? 0 }
        var text = "Synced: \(count("pulled")) pulled, \(count("pushed")) pushed, \(count("removed")) removed"
        if let milliseconds = summary["durationMs"]?.int { text += " in \(seconds(milliseconds)) s" }
        text += "."
        let warnings = summary["warnings"]?.array?.compactMap(\.string) ?? []
        return ([text, attention(summary)].filter { !$0.isEmpty } + warnings).joined(separator: "\n")
    }

    /// The number of local objects as a sentence: `Local: 120 objects in 3 classes.`
    /// - Returns: nil if the status lists no classes.
    static func total(_ status: JSONObject) -> String? {
        let counts = (status["classes"]?.array ?? []).compactMap { $0.object?["objects"]?.int }
        guard !counts.isEmpty else { return nil }
        let objects = counts.reduce(0, +)
        return "Local: \(objects.counted("object")) in \(counts.count) \(counts.count == 1 ? "class" : "classes")."
    }

    /// The text of the progress line: `Syncing · pull Holiday · 300 of 1200 · 2 changes to send`.
    static func progress(_ status: JSONObject) -> String {
        var parts = [status["state"]?.string == "running" ? "Syncing" : "Waiting"]
        if let progress = status["progress"]?.object {
            let words = [progress["phase"]?.string, progress["class"]?.string].compactMap(\.self)
            parts.append(words.joined(separator: " "))
            let done = progress["done"]?.int ?? 0
            if let total = progress["total"]?.int, total > 0 {
                parts.append("\(done) of \(total)")
            } else if done > 0 {
                parts.append("\(done)")
            }
        }
        if let pending = status["pending"]?.int, pending > 0 { parts.append("\(pending.counted("change")) to send") }
        return parts.joined(separator: " · ")
    }

    /// The text of the whole status, in several lines.
    static func status(_ status: JSONObject, url: String) -> String {
        let isStandalone = status["mode"] == "standalone"
        let rows =
            (isStandalone ? [("Mode", "standalone (no remote)")] : syncRows(status)) + BackupText.rows(status)
        let lines = ["Tidegate at \(url)"] + rows.map { "  " + padded($0, 12) + $1 }
        let users = UsersText.table((status["users"]?.array ?? []).compactMap(\.object))
        return (lines + StallText.lines(status) + classes(status["classes"]?.array ?? []) + users).joined(
            separator: "\n")
    }

    private static func syncRows(_ status: JSONObject) -> [(String, String)] {
        let state = status["state"]?.string
        let facts: [(String, String?)] = [
            ("Mode", status["mode"]?.string), ("Remote", status["remote"]?.object?["url"]?.string),
            ("State", state == "paused" ? "paused (working offline)" : state),
            ("Online", status["online"]?.bool.map { $0 ? "yes" : "no" }), ("Last error", lastError(status)),
            ("Next try", lastError(status).flatMap { _ in status["nextSyncAt"]?.string }),
            ("Last sync", status["lastSyncAt"]?.string ?? "never"),
            ("First sync", status["initialSyncComplete"] == false ? "not complete yet" : nil),
            ("Waiting", (status["pending"]?.int ?? 0).counted("change")),
            ("Rejections", String(status["rejections"]?.int ?? 0)),
            ("Conflicts", String(status["conflicts"]?.int ?? 0)),
            ("Removals", status["removals"]?.int.flatMap { $0 > 0 ? "\($0) held back" : nil }),
            ("Users", UsersText.summary(status)),
        ]
        return facts.compactMap { name, text in text.map { (name, $0) } }
    }

    /// The error message of the last sync; nil if that sync succeeded, and before the first sync.
    static func lastError(_ status: JSONObject) -> String? { status["lastError"]?.object?["message"]?.string }

    private static func classes(_ classes: [JSONValue]) -> [String] {
        let rows = classes.compactMap(\.object).map { entry in
            [
                entry["name"]?.string ?? "", entry["objects"]?.int.map(String.init) ?? "",
                entry["pending"]?.int.map(String.init) ?? "",
                note(on: entry),
            ]
        }
        guard !rows.isEmpty else { return [] }
        let width = (rows.map { $0[0].count }.max() ?? 0) + 2
        return ["", "  " + padded("Class", max(width, 7)) + padded("Objects", 9) + "Waiting"]
            + rows.map { row in
                let line = "  " + padded(row[0], max(width, 7)) + padded(row[1], 9) + padded(row[2], 9) + row[3]
                return String(line.reversed().drop { $0 == " " }.reversed())
            }
    }

    /// The remark about a class, for the last column of the table of classes.
    private static func note(on entry: JSONObject) -> String {
        if let reason = entry["stopped"]?.object?["reason"]?.string { return "stopped: \(reason)" }
        let skipped = entry["skipped"]?.array?.count ?? 0
        let words = [
            incompleteness(of: entry), skipped > 0 ? "without \(skipped) oversized" : nil,
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }

    /// Why the file may lack objects of a class; nil if its first sync is complete.
    static func incompleteness(of entry: JSONObject) -> String? {
        if entry["registered"] == false { return "not synced" }
        return entry["initialSyncComplete"] == false ? "not complete yet" : nil
    }

    /// The line about open decisions; empty if there are none.
    private static func attention(_ summary: JSONObject) -> String {
        let words: [(String, (Int) -> String)] = [
            ("conflicts", { "\($0) in conflict" }), ("rejections", { "\($0) refused by the remote" }),
            ("heldBack", { "removal of \($0.counted("object")) held back" }),
        ]
        let open = words.compactMap { key, words in
            summary[key]?.int.flatMap { $0 > 0 ? words($0) : nil }
        }
        return open.isEmpty ? "" : "Needs a decision: " + open.joined(separator: ", ") + "."
    }

    private static func seconds(_ milliseconds: Int) -> String { "\(milliseconds / 1000).\(milliseconds % 1000 / 100)" }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
