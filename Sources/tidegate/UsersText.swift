import ParseModel

/// Formats the data about the users of a replica, from answers of `/sync`, as text.
enum UsersText {
    /// The row `Users` of the status: `2, and 3 changes wait for their author to log in`; nil for a gateway without users.
    static func summary(_ status: JSONObject) -> String? {
        guard let people = status["people"]?.object, let users = people["users"]?.int else { return nil }
        return [String(users), waiting(status)].compactMap(\.self).joined(separator: ", and ")
    }

    /// The sentence about changes that wait for a log-in, without a period; nil if none waits.
    static func waiting(_ status: JSONObject) -> String? {
        guard let count = status["people"]?.object?["waitingForLogIn"]?.int, count > 0 else { return nil }
        return
            "\(count.counted("change")) \(count == 1 ? "waits" : "wait") for \(count == 1 ? "its" : "their") author to log in"
    }

    /// The table of the users, from the `results` of `GET /sync/users`.
    static func table(_ users: [JSONObject]) -> [String] {
        guard !users.isEmpty else { return [] }
        let head = ["User", "Waiting", "Rejections", "Conflicts", "Removals", "Works offline until"]
        let rows = [head] + users.map(row)
        let widths = head.indices.map { column in (rows.map { $0[column].count }.max() ?? 0) + 2 }
        return [""]
            + rows.map { row in
                let cells = zip(row, widths).map { text, width in
                    text + String(repeating: " ", count: width - text.count)
                }
                return "  " + String(cells.joined().reversed().drop { $0 == " " }.reversed())
            }
    }

    private static func row(_ user: JSONObject) -> [String] {
        let name = user["username"]?.string ?? user["objectId"]?.string ?? ""
        let counts = ["pending", "rejections", "conflicts", "removals"].map { String(user[$0]?.int ?? 0) }
        let stalled = user["stalled"]?.int ?? 0
        let notes = [
            user["offlineUntil"]?.string ?? "not now",
            user["waitsForLogIn"] == true ? "changes wait for a log-in" : nil,
            stalled > 0 ? "\(stalled.counted("change")) stalled" : nil,
        ]
        return [name] + counts + [notes.compactMap(\.self).joined(separator: "; ")]
    }
}
