import GRDB
import ParseModel
import StoreService

extension LocalStore {
    package func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try readers.query(timeout: timeout) { db, prepare in
            try runner(db, principal).find(className, query, prepare, each: each)
        }
    }

    package func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement] {
        try readers.query(timeout: timeout) { db, _ in
            try runner(db, principal).explain(className, query)
        }
    }

    private func runner(_ db: Database, _ principal: Principal) -> QueryRunner {
        QueryRunner(
            db: db, principal: principal, rules: { try self.rules(of: $0, as: principal) }, damaged: damaged,
            indexes: indexes,
            environment: environment, isReplica: configuration.identity.isReplica, now: environment.now())
    }
}
