import GRDB
import ParseModel
import StoreService
import SyncModel

/// Tags of objects, and the other members of `_sync`.
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

/// Makes marks of stored objects.
struct StateMarks {
    /// A standalone store has no class options.
    let isReplica: Bool
    let principal: Principal
    let db: Database

    func mark(_ className: String, _ object: StoredObject) throws -> ObjectMark {
        let fetched = isReplica ? try fetchedFields(of: className, object.objectId) : nil
        return ObjectMark(
            state: object.state, isHidden: object.isHidden, tag: try tag(className, object), fetched: fetched)
    }

    func tag(_ className: String, _ object: StoredObject) throws -> String {
        try content(className, object.fields(of: className))
            .tag(hiding: AccessRules.hiddenFields(of: className, from: principal))
    }

    func content(_ className: String, _ fields: JSONObject) throws -> StableContent {
        // No remote gives other names to objects of a standalone store.
        guard isReplica else { return try StableContent(fields, without: nil, names: nil) }
        return try StableContent(fields, without: opField(of: className), names: FirstNames(db: db))
    }

    private func opField(of className: String) throws -> String? {
        let options = try db.cachedStatement(sql: "SELECT options FROM classes WHERE name = ?")
            .firstRow([className]) { $0.text(0) }
        // Most classes have none.
        guard let options, options.utf8.firstRange(of: "opField".utf8) != nil else { return nil }
        return try ClassOptions(stored: options).opField
    }

    /// The fields that the pulls of an object bring; nil for all.
    private func fetchedFields(of className: String, _ objectId: String) throws -> [String]? {
        let hasKeys = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM pulls WHERE class = ? AND keys IS NOT NULL)"
        ).firstRow([className]) { $0.bool(0) }
        guard hasKeys == true else { return nil }
        let opField = try opField(of: className)
        return try KeptFields(of: className, in: db).keys(of: objectId, in: db)?.filter { $0 != opField }.sorted()
    }
}
