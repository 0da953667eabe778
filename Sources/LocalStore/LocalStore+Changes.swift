import GRDB
import ParseModel
import StoreService
import SyncModel

/// The change feed.
extension LocalStore {
    package func changes(
        since: Int64?, classes: Set<String>?, limit: Int, as principal: Principal
    ) throws -> ChangePage {
        try read { db in
            let bounds = try Row.fetchOne(
                db,
                sql: """
                    SELECT coalesce((SELECT min(number) FROM changes), 0),
                        coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)
                    """)
            let newest: Int64 = bounds?[1] ?? 0
            guard let since else { return ChangePage(entries: [], next: newest) }
            // Without entries everything up to the newest number has been trimmed.
            let oldest: Int64 = bounds?[0] == 0 ? newest + 1 : bounds?[0] ?? 1
            guard since >= oldest - 1, since <= newest else {
                throw StoreError.feedTrimmed(oldest: oldest, newest: newest)
            }
            let names = (classes ?? []).sorted()
            let filter = classes == nil ? "" : "AND c.class IN (\(databaseQuestionMarks(count: names.count)))"
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT c.number, c.class, c.id, c.kind, o.view, o.state, o.is_provisional FROM changes c
                    LEFT JOIN objects o ON o.class = c.class AND o.id = c.id
                    WHERE c.number > ? \(filter) ORDER BY c.number LIMIT ?
                    """, arguments: StatementArguments([since]) + StatementArguments(names) + [limit])
            let entries = try rows.map { row in
                ChangeEntry(
                    number: row[0], className: row[1], objectId: row[2],
                    kind: try .stored(row[3], as: "the kind of a change"),
                    json: AccessRules.feedShowsObjects(of: row[1], to: principal) ? row[4] : nil,
                    state: try (row[5] as Int?).map { try .stored($0, as: "an object's state") } ?? .synced,
                    isHidden: (row[6] as Int64?) == BaseStanding.hidden.rawValue)
            }
            // A short page has read to the end, past entries of other classes too.
            let next = entries.count < limit ? newest : entries.last?.number ?? since
            return ChangePage(entries: entries, next: next)
        }
    }
}
