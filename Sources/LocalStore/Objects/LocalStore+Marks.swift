import GRDB
import ParseModel
import StoreService
import SyncModel

/// The `_sync` members of an object, including its tag.
extension LocalStore {
    package func tag(_ className: String, _ object: StoredObject, as principal: Principal) throws -> String {
        try objectCache.tag(className, object) {
            try StateMarks.tag(className, object, isReplica: configuration.identity.isReplica, from: readers)
        }
    }

    package func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark {
        let denied = access.deniedWrites(by: try rules(of: className, as: principal), configuration.settings)
        return try readOnce {
            try StateMarks(isReplica: configuration.identity.isReplica, db: $0).mark(className, object, denied)
        }
    }
}
