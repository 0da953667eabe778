import GRDB
import ParseModel
import StoreService
import SyncModel

/// The `_sync` members of an object, including its tag.
extension LocalStore {
    package func tag(_ className: String, _ object: StoredObject, as principal: Principal) throws -> String {
        // The store has returned the object without the fields that are hidden from the principal.
        try tagCache.tag(className, object, hiding: rules(of: className, as: principal).hiddenFields) {
            try readOnce {
                try StateMarks(isReplica: configuration.identity.isReplica, db: $0).tag(className, object, hiding: [])
            }
        }
    }

    package func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark {
        try readOnce { db in
            try StateMarks(isReplica: configuration.identity.isReplica, db: db).mark(className, object, hiding: [])
        }
    }
}
