import LocalStore
import ParseModel
import StoreService

/// A client's copy of the objects that a user may read, built from the change feed alone.
struct FeedCopy: Sendable {
    /// The position up to which the feed was read. Nil if the objects have to be read again.
    private var position: Int64? = 0
    /// The JSON text of each object, by `Class/objectId`.
    private(set) var objects: [String: String] = [:]

    mutating func follow(_ store: LocalStore, as user: Principal) throws {
        let classes = Set(SimulatedReplica.classes).intersection(try store.classes.remoteSchemas().map(\.className))
        do {
            let page = try store.objects.changes(
                since: position, classes: Set(SimulatedReplica.classes), limit: 1000, as: user)
            if position == nil { objects = try Self.objects(of: classes, in: store, for: user) }
            position = page.next
            for entry in page.entries { objects["\(entry.className)/\(entry.objectId)"] = entry.json }
        } catch StoreError.feedTrimmed {
            position = nil
            try follow(store, as: user)
        }
    }

    /// The objects of the classes that a user may list.
    static func objects(of classes: Set<String>, in store: LocalStore, for user: Principal) throws -> [String: String] {
        var objects: [String: String] = [:]
        for className in classes {
            for object in try store.objects.find(className, ParseQuery(limit: 10_000), as: user).objects {
                objects["\(className)/\(object.objectId)"] = object.jsonText
            }
        }
        return objects
    }
}
