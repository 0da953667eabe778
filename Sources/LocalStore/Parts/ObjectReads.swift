import GRDB
import ParseModel
import StoreService

/// Reads objects by id and by query, with the rights of a principal.
struct ObjectReads {
    let transactions: Transactions
    let damaged: DamagedObjects
    let indexes: IndexKeeper
    /// Whether rows can lack a view because the object was deleted here and not on the remote yet.
    let holdsDeleted: Bool

    func object(_ className: String, _ objectId: String, as principal: Principal) throws -> StoredObject? {
        try ObjectRead(
            rules: transactions.rules(of: className, as: principal), access: transactions.access, damaged: damaged,
            cache: transactions.objectCache, readers: transactions.readers
        ).object(objectId)
    }

    func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try transactions.readers.query(timeout: timeout) { db, prepare in
            try runner(db, principal).find(className, query, prepare, each: each)
        }
    }

    func indexUses() throws -> [IndexUse] {
        let present = try transactions.readOnce { try IndexTable(db: $0).all() }
        let (uses, uptime, now) = (indexes.uses, transactions.environment.uptime(), transactions.environment.now())
        return present.sorted { $0.name < $1.name }.map { index in
            let use = uses[index].flatMap { $0.count > 0 ? $0 : nil }
            return IndexUse(
                className: index.className,
                fields: [index.path.dotted] + (index.order.map { [$0.dotted] } ?? []), count: use?.count ?? 0,
                latest: use.map {
                    ParseDate(milliseconds: now.milliseconds - Int64((uptime - $0.latest) / .milliseconds(1)))
                })
        }
    }

    func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement] {
        try transactions.readers.query(timeout: timeout) { db, _ in
            try runner(db, principal).explain(className, query)
        }
    }

    private func runner(_ db: Database, _ principal: Principal) -> QueryRunner {
        QueryRunner(
            db: db, principal: principal, rules: { try transactions.rules(of: $0, as: principal) }, damaged: damaged,
            indexes: indexes, environment: transactions.environment, holdsDeleted: holdsDeleted,
            isEnforced: transactions.access.isEnforced, now: transactions.environment.now())
    }
}
