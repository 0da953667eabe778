import GRDB
import ParseModel
import StoreService
import SyncModel

/// The `_sync` members of an object, including its tag.
extension LocalStore {
    package func tag(_ className: String, _ object: StoredObject, as principal: Principal) throws -> String {
        try tagCache.tag(className, object, hiding: AccessRules.hiddenFields(of: className, from: principal)) {
            try readOnce {
                try StateMarks(isReplica: configuration.identity.isReplica, principal: principal, db: $0)
                    .tag(className, object)
            }
        }
    }

    package func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark {
        try readOnce { db in
            let marks = StateMarks(isReplica: configuration.identity.isReplica, principal: principal, db: db)
            return try marks.mark(className, object)
        }
    }
}
