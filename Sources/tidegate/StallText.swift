import ParseModel

/// Turns `stalled` in a response of `GET /sync` into text.
enum StallText {
    /// The sentence about the stalled work, without a period: `2 changes stalled: It waits until the user logs in`; nil
    /// for none. In a personal replica, it counts the changes in the data of all users.
    static func summary(_ status: JSONObject) -> String? {
        let stalled = status["stalled"]?.object ?? [:]
        let hasOneStore = status["people"]?.object?["mode"] == "site"
        let users = hasOneStore ? [] : status["users"]?.array ?? []
        let changes = users.reduce(stalled["changes"]?.int ?? 0) { $0 + ($1.object?["stalled"]?.int ?? 0) }
        let entries = entries(status)
        let parts = [
            entries.contains { $0["kind"] == "sync" } ? "the sync" : nil,
            stalled["pulls"]?.int.flatMap { $0 > 0 ? $0.counted("pull") : nil },
            changes > 0 ? changes.counted("change") : nil,
        ].compactMap(\.self)
        guard !parts.isEmpty else { return nil }
        let reason = entries.first?["text"]?.string.map { ": \($0)" } ?? ""
        return "\(parts.joined(separator: ", ")) stalled\(reason)"
    }

    /// The lines about each entry: the object or class, the reason and the way out. Empty without a stall.
    static func lines(_ status: JSONObject) -> [String] {
        let entries = entries(status)
        guard !entries.isEmpty else { return [] }
        return ["", "  Stalled"]
            + entries.flatMap { entry in
                [
                    "  \(name(of: entry)): \(entry["text"]?.string ?? "")", "    → \(entry["wayOut"]?.string ?? "")",
                ]
            }
    }

    private static func entries(_ status: JSONObject) -> [JSONObject] {
        (status["stalled"]?.object?["entries"]?.array ?? []).compactMap(\.object)
    }

    private static func name(of entry: JSONObject) -> String {
        guard let className = entry["className"]?.string else { return "Sync" }
        return entry["objectId"]?.string.map { "\(className)/\($0)" } ?? className
    }
}
