import ParseModel

/// The state of a gateway for monitoring: an exit code and one line, in the format of Nagios plugins.
struct StatusCheck {
    enum Level: Int32, Comparable {
        case ok = 0
        /// The gateway works, but an operator should check it.
        case warning = 1
        /// All syncs, or only the pushes, have stopped until an operator acts.
        case critical = 2
        /// The state of the gateway is unknown.
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
    /// The output line: the level and a text, such as `WARNING: 2 refused by the remote`.
    let line: String

    /// - Parameter status: the response to `GET /sync`.
    init(_ status: JSONObject) {
        let findings = Self.findings(status)
        self.init(
            findings.map(\.0).max() ?? .ok,
            findings.isEmpty ? Self.okText(status) : findings.map { Self.withoutPeriod($0.1) }.joined(separator: "; "))
    }

    /// The text without its final period, to be followed by other text.
    private static func withoutPeriod(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }

    /// The state of a gateway that does not respond.
    init(noAnswer reason: String) { self.init(.unknown, reason) }

    private init(_ level: Level, _ words: String) {
        self.level = level
        line = "\(level.word): \(words)"
    }

    /// The kinds of sync errors that do not end by themselves. An operator has to act.
    private static let persistentErrors: Set<String> = ["foreign", "unauthorized", "refused", "store"]

    private static func findings(_ status: JSONObject) -> [(Level, String)] {
        let backups = BackupText.failure(status).map { [(Level.warning, "no backup was written: \($0)")] } ?? []
        guard status["mode"]?.string != "standalone" else { return backups }
        guard let state = status["state"]?.string else { return [(.unknown, "the response has no state")] }
        var findings = backups
        let error = status["lastError"]?.object
        if let message = error?["message"]?.string {
            findings.append((persistentErrors.contains(error?["kind"]?.string ?? "") ? .critical : .warning, message))
        } else if let reason = status["pushPaused"]?.object?["reason"]?.string {
            findings.append((.critical, reason))
        }
        if state == "paused" { findings.append((.warning, "syncing is paused")) }
        let open: [(String, (Int) -> String)] = [
            ("conflicts", { "\($0) in conflict" }), ("rejections", { "\($0) refused by the remote" }),
            ("removals", { "\($0.counted("removal")) held back" }),
        ]
        for (key, words) in open {
            // In a site replica, the figures for the master key include those of all users.
            let hasOneStore = status["people"]?.object?["mode"] == "site"
            let users = hasOneStore ? [] : status["users"]?.array ?? []
            let count = (status[key]?.int ?? 0) + users.reduce(0) { $0 + ($1.object?[key]?.int ?? 0) }
            if count > 0 { findings.append((.warning, words(count))) }
        }
        if let stalled = StallText.summary(status) { findings.append((.warning, stalled)) }
        if let waiting = UsersText.waiting(status) { findings.append((.warning, waiting)) }
        if status["initialSyncComplete"] == false { findings.append((.warning, "the initial sync is not complete")) }
        for entry in (status["classes"]?.array ?? []).compactMap(\.object) {
            guard let reason = entry["stopped"]?.object?["reason"]?.string else { continue }
            findings.append((.warning, "\(entry["name"]?.string ?? "a class") is no longer pulled: \(reason)"))
        }
        return findings
    }

    private static func okText(_ status: JSONObject) -> String {
        guard status["mode"]?.string != "standalone" else { return "standalone" }
        let waiting = status["pending"]?.int ?? 0
        let last = status["lastSyncAt"]?.string.map { "last sync \($0)" } ?? "not synced yet"
        let text = waiting > 0 ? "\(last), \(waiting) waiting" : last
        let isPartial = status["people"] != nil && status["users"] == nil
        return isPartial ? "\(text). Conflicts and refused changes of users are shown only with the master key" : text
    }
}
