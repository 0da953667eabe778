import GRDB
import ParseModel
import StoreService

extension LocalStore {
    package func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try readers.query(timeout: timeout) { db, prepare in
            try QueryRunner(self, db, principal).find(className, query, prepare, each: each)
        }
    }

    package func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement] {
        try readers.query(timeout: timeout) { db, _ in
            try QueryRunner(self, db, principal).explain(className, query)
        }
    }
}

extension QueryRunner {
    fileprivate init(_ store: LocalStore, _ db: Database, _ principal: Principal) {
        self.init(
            db: db, principal: principal, rules: { try store.rules(of: $0, as: principal) },
            damaged: store.damaged, indexes: store.indexes,
            environment: store.environment, isReplica: store.configuration.identity.isReplica,
            isEnforced: store.access.isEnforced, now: store.environment.now())
    }
}
