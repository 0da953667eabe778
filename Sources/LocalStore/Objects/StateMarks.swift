import GRDB
import ParseModel
import StoreService
import SyncModel

/// Computes the `_sync` members of stored objects.
struct StateMarks {
    /// Whether the store is a replica's. A standalone store has no class options.
    let isReplica: Bool
    let db: Database

    /// The tag of an object that the store has returned, without the fields that are hidden from its reader.
    static func tag(
        _ className: String, _ object: StoredObject, isReplica: Bool, from readers: ReaderPool
    ) throws -> String {
        // Without a remote, ids and names of files never change, so the tag needs no statement.
        guard isReplica else {
            if let text = StableText.make(object.json, without: nil) { return StableContent.tag(of: text) }
            return try StableContent(object.fields(of: className), without: nil, names: nil).tag(hiding: [])
        }
        return try readers.readOnce { try StateMarks(isReplica: true, db: $0).tag(className, object, hiding: []) }
    }

    /// - Parameter denied: finds the writes that the reader may not make.
    func mark(_ className: String, _ object: StoredObject, _ denied: DeniedWrites) throws -> ObjectMark {
        try mark(className, object, hiding: [], denied: try denied.writes(of: object, in: db))
    }

    /// - Parameters:
    ///   - hidden: fields that the reader may not read.
    ///   - denied: the writes that the reader may not make.
    func mark(
        _ className: String, _ object: StoredObject, hiding hidden: [String], denied: [ObjectMark.DeniedWrite] = []
    ) throws -> ObjectMark {
        let fetched = isReplica ? try fetchedFields(of: className, object.objectId) : nil
        return ObjectMark(
            state: object.state, isHidden: object.isHidden, tag: try tag(className, object, hiding: hidden),
            fetched: fetched, denied: denied)
    }

    /// - Parameter hidden: fields that the reader may not read.
    func tag(_ className: String, _ object: StoredObject, hiding hidden: [String]) throws -> String {
        let opField = isReplica ? try opField(of: className) : nil
        if hidden.isEmpty, let text = StableText.make(object.json, without: opField) {
            return StableContent.tag(of: text)
        }
        return try content(object.fields(of: className), without: opField).tag(hiding: hidden)
    }

    func content(_ className: String, _ fields: JSONObject) throws -> StableContent {
        try content(fields, without: isReplica ? opField(of: className) : nil)
    }

    private func content(_ fields: JSONObject, without opField: String?) throws -> StableContent {
        // Ids in a standalone store never change.
        try StableContent(fields, without: opField, names: isReplica ? FirstNames(db: db) : nil)
    }

    private func opField(of className: String) throws -> String? {
        let options = try db.text("SELECT options FROM classes WHERE name = ?", [className])
        // Most classes have no `opField`, so their options are not parsed.
        guard let options, options.utf8.firstRange(of: "opField".utf8) != nil else { return nil }
        return try ClassOptions(stored: options).opField
    }

    /// The fields that pulls fetch for an object, without `opField`; nil for all fields.
    private func fetchedFields(of className: String, _ objectId: String) throws -> [String]? {
        guard try db.isTrue("SELECT EXISTS (SELECT 1 FROM pulls WHERE class = ? AND keys IS NOT NULL)", [className])
        else { return nil }
        let opField = try opField(of: className)
        return try KeptFields(of: className, in: db).keys(of: objectId)?.filter { $0 != opField }.sorted()
    }
}
