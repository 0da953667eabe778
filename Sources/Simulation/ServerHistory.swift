import LocalStore
import ParseModel

/// All that the remote ever held. An object is known by its title, which is given once, when it is made: its id may be
/// another one here and there.
struct ServerHistory: Sendable {
    /// How far the change feed has been read.
    var seen: Int64 = 0
    /// The ids that were given to objects of a title.
    private(set) var ids: [String: [String]] = [:]
    /// How often an object of a title was made.
    private(set) var createCounts: [String: Int] = [:]
    /// Titles of objects of which one was made by a request that arrived late.
    private(set) var createdLate: Set<String> = []
    private(set) var knownIds: Set<String> = []
    /// Whose request has made an object, or made it again, the last time.
    private(set) var creators: [String: String] = [:]
    /// Objects that were made again under their old id.
    private(set) var recreated: Set<String> = []
    /// Values that a field once had, as `title/field/value`.
    private var values: Set<String> = []
    /// What each of the fields that users set has been, in order.
    private(set) var fieldChanges: [FieldChange] = []
    /// When a party was last shown an object, by `party/title`, counted as `FieldChange.order` is.
    private var lastReads: [String: Int] = [:]
    private var order = 0
    /// Of the objects that are there: what the fields that users set are now.
    private var present: [String: [String: String]] = [:]
    private var titles: [String: String] = [:]
    /// How often each object has changed, by title.
    private(set) var changes: [String: Int] = [:]
    /// Changes of the parties since the last question about them.
    private var recentCreates: [String: [CreatedObject]] = [:]

    struct CreatedObject: Sendable {
        let className: String
        let objectId: String
    }

    /// Marks that stood in a log more than once: something was carried out twice.
    private(set) var titlesWithDuplicateMarks: [String] = []

    func hasHeld(_ value: String, in field: String, of title: String) -> Bool {
        values.contains("\(title)/\(field)/\(value)")
    }

    /// Something that the row itself does not hold as a text.
    mutating func note(_ value: String, in field: String, of title: String) {
        values.insert("\(title)/\(field)/\(value)")
    }

    /// - Parameter sender: whose request has made the change.
    mutating func add(_ entry: ChangeEntry, by sender: Sender) {
        guard let object = entry.json.flatMap({ try? JSONReader.read($0).object }),
            let title = object["title"]?.string
        else {
            if let title = titles[entry.objectId] { changes[title, default: 0] += 1 }
            noteFieldChanges(of: entry.objectId, to: nil, by: sender)
            return
        }
        titles[entry.objectId] = title
        let wasThere = present[entry.objectId] != nil
        changes[title, default: 0] += 1
        noteFieldChanges(
            of: entry.objectId, to: object[ClassSettings.Shared.deletedFieldName] == true ? nil : object, by: sender)
        if !wasThere, present[entry.objectId] != nil { creators[entry.objectId] = sender.party }
        if !knownIds.insert(entry.objectId).inserted, entry.kind == .create { recreated.insert(entry.objectId) }
        if entry.kind == .create {
            createCounts[title, default: 0] += 1
            if sender.isLate { createdLate.insert(title) }
            recentCreates[sender.party, default: []].append(
                CreatedObject(className: entry.className, objectId: entry.objectId))
        }
        if ids[title]?.contains(entry.objectId) != true { ids[title, default: []].append(entry.objectId) }
        if let target = object[Self.pointerField].flatMap(Pointer.init).flatMap({ titles[$0.objectId] }) {
            note(target, in: Self.pointerField, of: title)
        }
        for (field, value) in object {
            if let text = value.string { values.insert("\(title)/\(field)/\(text)") }
            guard let marks = value.array?.compactMap(\.string) else { continue }
            for mark in marks { values.insert("\(title)/\(field)/\(mark)") }
            if field == "log", Set(marks).count < marks.count, !titlesWithDuplicateMarks.contains(title) {
                titlesWithDuplicateMarks.append(title)
            }
        }
    }

    // MARK: Who overwrites what

    /// Whose request it is that the server carries out.
    struct Sender: Sendable {
        let party: String
        /// The party had given up waiting, or the network has made two requests of one.
        var isLate = false
    }

    /// A field that users set has come to be another one, or has gone with its object.
    struct FieldChange: Sendable {
        let order: Int
        let title: String
        let field: String
        let from: String?
        let to: String?
        /// The object has been deleted.
        let isDeletion: Bool
        let sender: Sender
        /// The order of what that party had last been shown of the object.
        let lastReadOrder: Int
    }

    static let setFields = ["a", "b"]
    /// The content of a file, which is a part of its name: `CONTENT.txt`, or `HASH_CONTENT.txt` on the server.
    static func content(ofFile value: JSONValue) -> String? {
        guard value.object?["__type"] == "File", let name = value.object?["name"]?.string else { return nil }
        return name.split(separator: "_").last.flatMap { $0.split(separator: ".").first }.map(String.init)
    }

    static let (pointerField, fileField, relationField) = ("ref", "image", "friends")

    /// - Parameter object: nil where it is gone.
    private mutating func noteFieldChanges(of objectId: String, to object: JSONObject?, by sender: Sender) {
        let before = present[objectId] ?? [:]
        var after: [String: String] = [:]
        for field in Self.setFields { after[field] = object?[field]?.string }
        present[objectId] = object == nil ? nil : after
        guard let title = titles[objectId] else { return }
        for field in Self.setFields where before[field] != after[field] {
            order += 1
            fieldChanges.append(
                FieldChange(
                    order: order, title: title, field: field, from: before[field], to: after[field],
                    isDeletion: object == nil, sender: sender, lastReadOrder: lastReads["\(sender.party)/\(title)"] ?? 0
                ))
        }
    }

    /// An answer that shows rows has arrived.
    mutating func noteRead(of party: String, at answer: JSONValue) {
        order += 1
        for part in answer.array?.map({ $0.object?["success"] }) ?? [answer] {
            for row in part?.object?["results"]?.array ?? [] {
                guard let title = row.object?["objectId"]?.string.flatMap({ titles[$0] }) else { continue }
                lastReads["\(party)/\(title)"] = order
            }
        }
    }

    /// The title of an object that is there or was.
    func title(of objectId: String) -> String? { titles[objectId] }

    // MARK: Going back

    /// A copied file's knowledge of the past.
    struct Snapshot: Sendable {
        fileprivate let seen: Int64
        fileprivate let present: [String: [String: String]]
        fileprivate let living: Set<String>
    }

    var snapshot: Snapshot { Snapshot(seen: seen, present: present, living: Set(present.keys)) }

    /// The server is back in an earlier state. Later changes count as never made.
    mutating func rollBack(to snapshot: Snapshot) {
        for id in present.keys where !snapshot.living.contains(id) { forgetCreate(of: id) }
        seen = snapshot.seen
        present = snapshot.present
    }

    mutating func takeCreates(by party: String) -> [CreatedObject] { recentCreates.removeValue(forKey: party) ?? [] }

    mutating func forgetCreate(of objectId: String) {
        guard let title = titles[objectId], let count = createCounts[title] else { return }
        createCounts[title] = max(0, count - 1)
    }
}
