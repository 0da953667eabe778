import ParseModel

/// How a gateway stands, for a program that watches it: an exit code and one line, as Nagios and its like want them.
struct StatusCheck {
    enum Level: Int32, Comparable {
        case ok = 0
        /// It goes on, and a person should look some time.
        case warning = 1
        /// Nothing is synced until a person acts.
        case critical = 2
        /// It cannot be told.
        case unknown = 3

        static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }

        var word: String {
            switch self {
            case .ok: "OK"
            case .warning: "WARNING"
            case .critical: "CRITICAL"
            case .unknown: "UNKNOWN"
            }
        }
    }

    let level: Level
    /// `WARNING: 2 changes refused by the remote`
    let line: String

    /// - Parameter status: the answer of `GET /sync`.
    init(_ status: JSONObject) {
        let findings = Self.findings(status)
        self.init(
            findings.map(\.0).max() ?? .ok,
            findings.isEmpty ? Self.calm(status) : findings.map { Self.withoutStop($0.1) }.joined(separator: "; "))
    }

    /// A sentence elsewhere is one part of a line here.
    private static func withoutStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }

    /// A gateway that gave no answer.
    init(noAnswer reason: String) { self.init(.unknown, reason) }

    private init(_ level: Level, _ words: String) {
        self.level = level
        line = "\(level.word): \(words)"
    }

    /// Errors that do not go by themselves.
    private static let lasting: Set<String> = ["foreign", "unauthorized", "refused", "store"]

    private static func findings(_ status: JSONObject) -> [(Level, String)] {
        guard status["mode"]?.string != "standalone" else { return [] }
        guard let state = status["state"]?.string else { return [(.unknown, "the answer tells no state")] }
        var findings: [(Level, String)] = []
        let error = status["lastError"]?.object
        if let message = error?["message"]?.string {
            findings.append((lasting.contains(error?["kind"]?.string ?? "") ? .critical : .warning, message))
        } else if let reason = status["pushPaused"]?.object?["reason"]?.string {
            findings.append((.critical, reason))
        }
        if state == "paused" { findings.append((.warning, "syncing is paused")) }
        let open: [(String, (Int) -> String)] = [
            ("conflicts", { "\($0) in conflict" }), ("rejections", { "\($0) refused by the remote" }),
            ("removals", { "\($0.counted("removal")) held back" }),
        ]
        for (key, words) in open {
            if let count = status[key]?.int, count > 0 { findings.append((.warning, words(count))) }
        }
        if status["initialSyncComplete"] == false { findings.append((.warning, "the first sync is not complete yet")) }
        for entry in (status["classes"]?.array ?? []).compactMap(\.object) {
            guard let reason = entry["stopped"]?.object?["reason"]?.string else { continue }
            findings.append((.warning, "\(entry["name"]?.string ?? "a class") is not pulled any further: \(reason)"))
        }
        return findings
    }

    private static func calm(_ status: JSONObject) -> String {
        guard status["mode"]?.string != "standalone" else { return "standalone" }
        let waiting = status["pending"]?.int ?? 0
        let last = status["lastSyncAt"]?.string.map { "last sync \($0)" } ?? "not synced yet"
        return waiting > 0 ? "\(last), \(waiting) waiting" : last
    }
}
