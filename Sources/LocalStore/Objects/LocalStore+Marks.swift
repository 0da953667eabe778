import GRDB
import ParseModel
import SyncModel

/// Tags of objects, and the other members of `_sync`.
extension LocalStore {
    package func tag(_ className: String, _ object: StoredObject, hiding hidden: [String]) throws -> String {
        try tagCache.tag(className, object, hiding: hidden) {
            try readOnce {
                try StateMarks(isReplica: configuration.identity.isReplica, db: $0).tag(className, object, hidden)
            }
        }
    }

    package func mark(_ className: String, _ object: StoredObject, hiding hidden: [String]) throws -> ObjectMark {
        try readOnce { db in
            let marks = StateMarks(isReplica: configuration.identity.isReplica, db: db)
            return try marks.mark(className, object, hiding: hidden)
        }
    }
}

/// Makes marks of stored objects.
struct StateMarks {
    /// A standalone store has no class options.
    let isReplica: Bool
    let db: Database

    func mark(_ className: String, _ object: StoredObject, hiding hidden: [String] = []) throws -> ObjectMark {
        let fetched = isReplica ? try fetchedFields(of: className, object.objectId) : nil
        return ObjectMark(
            state: object.state, isHidden: object.isHidden, tag: try tag(className, object, hidden), fetched: fetched)
    }

    func tag(_ className: String, _ object: StoredObject, _ hidden: [String] = []) throws -> String {
        guard let fields = try? JSONReader.read(object.json, depthMax: JSONReader.storedDepthMax).object else {
            throw StoreError.damaged(className: className, objectId: object.objectId)
        }
        return try content(className, fields).tag(hiding: hidden)
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
