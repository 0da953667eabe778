import ParseModel

/// The backups that a gateway writes, as text of `tidegate status`.
enum BackupText {
    /// The rows about the latest backup and the latest failure; empty if the status has no backups.
    /// - Parameter status: the response to `GET /sync`.
    static func rows(_ status: JSONObject, now: ParseDate = Environment.live.now()) -> [(String, String)] {
        guard let backups = status["backups"]?.object else { return [] }
        let failures = failure(status).map { [("Backup error", $0)] } ?? []
        // Without the master key, the status tells only whether the latest attempt has failed.
        guard backups["last"] != nil else { return failures }
        let last = backups["last"]?.object
        let text = last.map { "\($0["at"]?.string ?? "") (\(age(of: $0, now)) ago, \($0["name"]?.string ?? ""))" }
        return [("Last backup", text ?? "none")] + failures
    }

    /// The reason why the latest attempt has written no backup; nil if it has written one.
    static func failure(_ status: JSONObject) -> String? {
        guard let backups = status["backups"]?.object else { return nil }
        return backups["lastError"]?.string
            ?? (backups["failed"] == true ? "the reason is shown only with the master key" : nil)
    }

    private static func age(of backup: JSONObject, _ now: ParseDate) -> String {
        let at = backup["at"]?.string.flatMap(ParseDate.init(iso:)) ?? now
        let minutes = Int(max(0, now.milliseconds - at.milliseconds) / 60_000)
        if minutes < 120 { return minutes.counted("minute") }
        return minutes < 48 * 60 ? (minutes / 60).counted("hour") : (minutes / 1440).counted("day")
    }
}
