import GRDB
import ParseModel
import StoreService

/// Reads the change feed for live queries, and keeps the positions of their clients.
struct LocalLiveStore: LiveStore {
    let transactions: Transactions

    private var access: StoreAccess { transactions.access }

    func follow(_ classes: Set<String>, for lifetime: Duration) async throws -> [String: Int64] {
        try await transactions.write(isLocal: true) { transaction in
            let (live, now) = (LiveClasses(db: transaction.db), transaction.environment.now())
            let newest = try ChangeFeed(db: transaction.db).range().newest
            // The present classes are renewed first, because a jump of the clock may have ended their time.
            let starts = try live.follow(classes, until: now + lifetime, after: newest)
            try live.dropEnded(now: now)
            return starts
        }
    }

    func changes(since: Int64, classes: Set<String>, limit: Int, for reader: LiveReader) throws -> LivePage {
        try transactions.read { db in
            try LiveFeed(db: db, reader: reader, access: access).page(since: since, classes, limit: limit)
        }
    }

    func newChanges(since: Int64, classes: Set<String>, limit: Int, for reader: LiveReader) throws -> LivePage {
        try transactions.read { db in
            try LiveFeed(db: db, reader: reader, access: access).newPage(since: since, classes, limit: limit)
        }
    }

    func readability(of change: LiveChange, for reader: LiveReader) throws -> (before: Bool, after: Bool) {
        guard access.restricts(reader.principal) else { return (change.before != nil, change.after != nil) }
        let rules = try rules(of: change.className, as: reader.principal)
        return try transactions.readOnce { db in
            try LiveFeed(db: db, reader: reader, access: access).readability(of: change, rules)
        }
    }

    func rules(of className: String, as principal: Principal) throws -> AccessRules {
        try transactions.rules(of: className, as: principal)
    }

    func resolvingIds(in predicate: Predicate, of className: String) throws -> Predicate {
        try transactions.read { try AliasedPredicate(db: $0).resolved(predicate, of: className) }
    }

    func newest() throws -> Int64 { try transactions.readOnce { try ChangeFeed(db: $0).range().newest } }

    func restricts(_ principal: Principal) -> Bool { access.restricts(principal) }

    func takePosition(
        of key: LiveSubscriptionKey, by holder: Int64, notAfter last: Int64?, for lifetime: Duration
    ) async throws -> LivePosition {
        try await transactions.write(isLocal: true) { transaction in
            let newest = try ChangeFeed(db: transaction.db).range().newest
            return try LivePositions(db: transaction.db).take(
                key, by: holder, notAfter: last ?? newest, newest: newest, now: transaction.environment.now(),
                lifetime: lifetime)
        }
    }

    func remember(_ positions: [Int64: Int64], by holder: Int64?, for lifetime: Duration) async throws {
        try await transactions.write(isLocal: true) { transaction in
            let now = transaction.environment.now()
            for (id, number) in positions {
                try LivePositions(db: transaction.db).remember(id, number, by: holder, now: now, lifetime: lifetime)
            }
        }
    }

    func forget(_ id: Int64) async throws {
        try await transactions.write(isLocal: true) { try LivePositions(db: $0.db).forget(id) }
    }
}
