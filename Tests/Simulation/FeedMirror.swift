import LocalStore
import ParseModel
import StoreService

/// A copy of a replica's objects that is maintained from the change feed alone, as a client does.
struct FeedMirror: Sendable {
    /// The position up to which the feed was read.
    private var seen: Int64 = 0
    /// The JSON text of each object, by `Class/objectId`. Deleted objects have no entry.
    private(set) var objects: [String: String] = [:]
    /// Whether the replica starts with a restored file, whose feed does not continue the former one.
    var isRestarting = false

    mutating func follow(_ store: LocalStore, _ classes: [String]) throws {
        guard !isRestarting else { return }
        let page = try store.objects.changes(since: seen, classes: Set(classes), limit: 1000, as: .master)
        seen = page.next
        for entry in page.entries { objects["\(entry.className)/\(entry.objectId)"] = entry.json }
    }

    /// Reads all objects again, as a client does whose position the feed refuses.
    /// - Returns: a finding; nil if the feed refuses the position.
    mutating func startOver(_ store: LocalStore, _ classes: [String]) throws -> String? {
        let isAccepted = (try? store.objects.changes(since: seen, classes: nil, limit: 1, as: .master)) != nil
        let finding = isAccepted ? "the feed continues after the change \(seen), which the backup may lack" : nil
        seen = try store.objects.changes(since: nil, classes: nil, limit: 1, as: .master).next
        objects = [:]
        for className in classes {
            for object in try store.objects.find(className, ParseQuery(limit: 10_000), as: .master).objects {
                objects["\(className)/\(object.objectId)"] = object.jsonText
            }
        }
        isRestarting = false
        return finding
    }
}
