import ParseModel
import StoreService

/// A record of every state that the server has ever held. An object is identified by its unique title, because its id
/// on the server may differ from its id on a replica.
struct ServerHistory: Sendable {
    /// The position up to which the history has read the server's change feed.
    var seen: Int64 = 0
    /// By title, the ids of all objects that ever had the title, in the order in which the change feed first showed
    /// them. A repeated create can add a second id.
    private(set) var ids: [String: [String]] = [:]
    /// By title, the number of creates, without creates that the server has lost.
    private(set) var createCounts: [String: Int] = [:]
    /// By title, the number of executed deletions.
    private(set) var deleteCounts: [String: Int] = [:]
    /// By title, the number of changes of the ACL that took the read right from the author of the create. A read right
    /// by a role does not count, because the role may end.
    private(set) var hideCounts: [String: Int] = [:]
    /// By title, the author of the create, as long as the ACL names this author or everybody as a reader.
    private var readingAuthors: [String: String] = [:]
    /// Whether the server has lost a created object, by a data fault.
    private(set) var hasLostCreate = false
    private(set) var knownIds: Set<String> = []
    /// The party whose request last created an object or made a deleted object exist again, by object id.
    private(set) var creators: [String: String] = [:]
    /// By title, the parties (replicas or the server) whose requests created the object or made it exist again after a
    /// deletion, in order.
    private(set) var makers: [String: [String]] = [:]
    /// The ids of objects that were created again under their old id.
    private(set) var recreated: Set<String> = []
    /// The values that fields have held, as `title/field/value`.
    private var values: Set<String> = []
    /// By value, as in `values`: the sender of the request that wrote the value first.
    private var writers: [String: Sender] = [:]
    /// Every change of the fields `a` and `b`, in order.
    private(set) var fieldChanges: [FieldChange] = []
    /// The last read of each object by each party, by `party/title`.
    private var lastReads: [String: LastRead] = [:]
    /// The number of field changes and of answers to reads so far, which serves as the history's clock.
    private(set) var order = 0
    /// The current values of the fields `a` and `b`, by object id. Deleted objects have no entry.
    private var present: [String: [String: String]] = [:]
    private var titles: [String: String] = [:]
    /// By title, the number of changes of the object.
    private(set) var changes: [String: Int] = [:]
    /// The objects that each party has created since the last call of `takeCreates` for this party.
    private var recentCreates: [String: [CreatedObject]] = [:]

    struct CreatedObject: Sendable {
        let className: String
        let objectId: String
    }

    /// The titles of objects whose array `log` contains the same text twice, because a write was executed twice.
    private(set) var titlesWithDuplicateMarks: [String] = []

    func hasHeld(_ value: String, in field: String, of title: String) -> Bool {
        values.contains("\(title)/\(field)/\(value)")
    }

    private mutating func insert(_ value: String, by sender: Sender) {
        if values.insert(value).inserted { writers[value] = sender }
    }

    /// The sender of the request that first wrote a value; nil if no field has held the value.
    func writer(of value: String, in field: String, of title: String) -> Sender? {
        writers["\(title)/\(field)/\(value)"]
    }

    /// Records a value that a field has held. For values that the row does not contain as text, for example the content
    /// of a file.
    mutating func note(_ value: String, in field: String, of title: String) {
        values.insert("\(title)/\(field)/\(value)")
    }

    /// Adds an entry of the server's change feed to the history.
    /// - Parameter sender: the sender of the request that made the change.
    mutating func add(_ entry: ChangeEntry, by sender: Sender) {
        guard let object = entry.json.flatMap({ try? JSONReader.read($0).object }),
            let title = object["title"]?.string
        else {
            if let title = titles[entry.objectId] {
                changes[title, default: 0] += 1
                deleteCounts[title, default: 0] += 1
            }
            noteFieldChanges(of: entry.objectId, to: nil, by: sender)
            return
        }
        titles[entry.objectId] = title
        let wasThere = present[entry.objectId] != nil
        changes[title, default: 0] += 1
        noteFieldChanges(
            of: entry.objectId, to: object[ClassSettings.Shared.deletedFieldName] == true ? nil : object, by: sender)
        if !wasThere, present[entry.objectId] != nil {
            creators[entry.objectId] = sender.party
            makers[title, default: []].append(sender.party)
        }
        noteReaders(title, object["ACL"], creator: entry.kind == .create ? sender.author : nil)
        if !knownIds.insert(entry.objectId).inserted, entry.kind == .create { recreated.insert(entry.objectId) }
        if entry.kind == .create {
            createCounts[title, default: 0] += 1
            recentCreates[sender.party, default: []].append(
                CreatedObject(className: entry.className, objectId: entry.objectId))
        }
        if ids[title]?.contains(entry.objectId) != true { ids[title, default: []].append(entry.objectId) }
        if let target = object[Self.pointerField].flatMap(Pointer.init)?.objectId {
            note(target, in: Self.pointerField, of: title)
            if let name = titles[target] { note(name, in: Self.pointerField, of: title) }
        }
        for (field, value) in object {
            if let text = value.string { insert("\(title)/\(field)/\(text)", by: sender) }
            guard let marks = value.array?.compactMap(\.string) else { continue }
            for mark in marks { insert("\(title)/\(field)/\(mark)", by: sender) }
            if field == "log", Set(marks).count < marks.count, !titlesWithDuplicateMarks.contains(title) {
                titlesWithDuplicateMarks.append(title)
            }
        }
    }

    private mutating func noteReaders(_ title: String, _ acl: JSONValue?, creator: String?) {
        guard let author = creator ?? readingAuthors[title] else { return }
        let isReader = AccessControlList(acl).map { $0.isPublic || $0.readers.contains(author) } ?? true
        readingAuthors[title] = isReader ? author : nil
        if !isReader { hideCounts[title, default: 0] += 1 }
    }

    // MARK: Field changes

    /// The sender of a request that the server executes.
    struct Sender: Sendable {
        let party: String
        /// Whether the request is executed late: its sender no longer waits for it, or the server executes it a second
        /// time.
        var isLate = false
        /// The user under whose session the request came; nil for the master key and for runs without users.
        var author: String?

        func acting(as author: String?) -> Self {
            var sender = self
            sender.author = author
            return sender
        }
    }

    /// A change of the field `a` or `b` of an object, by a write or by the deletion of the object.
    struct FieldChange: Sendable {
        let order: Int
        let title: String
        let field: String
        let from: String?
        let to: String?
        /// Whether the change is the deletion of the object.
        let isDeletion: Bool
        let sender: Sender
        /// The sender's last read of the object before the change.
        let lastRead: LastRead
    }

    /// A party's last read of an object. A party is a replica or the server.
    struct LastRead: Sendable {
        /// The value of `order` at the time of the read. If an outdated copy of the server answered: the value at the
        /// time of the copy.
        var order = 0
        /// Whether an outdated copy of the server answered the read.
        var isLagging = false
    }

    /// The fields that users set to unique values.
    static let setFields = ["a", "b"]
    /// The content of a file according to its name: `CONTENT.txt`, or `HASH_CONTENT.txt` on the server. Nil for other values.
    static func content(ofFile value: JSONValue) -> String? {
        guard value.object?["__type"] == "File", let name = value.object?["name"]?.string else { return nil }
        return name.split(separator: "_").last.flatMap { $0.split(separator: ".").first }.map(String.init)
    }

    static let (pointerField, fileField, relationField) = ("ref", "image", "friends")

    /// Records the changes of the fields `a` and `b` of an object.
    /// - Parameter object: the new state; nil for a deletion.
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
                    isDeletion: object == nil, sender: sender,
                    lastRead: lastReads["\(sender.party)/\(title)"] ?? LastRead()))
        }
    }

    /// Records which rows a party has read in an answer.
    /// - Parameter copyOrder: the `Lagging.order` of the copy that answered; nil if the server itself answered.
    mutating func noteRead(of party: String, at answer: JSONValue, fromCopyAt copyOrder: Int? = nil) {
        order += 1
        let read = LastRead(order: copyOrder ?? order, isLagging: copyOrder != nil)
        for part in answer.array?.map({ $0.object?["success"] }) ?? [answer] {
            for row in part?.object?["results"]?.array ?? [] {
                guard let title = row.object?["objectId"]?.string.flatMap({ titles[$0] }) else { continue }
                lastReads["\(party)/\(title)"] = read
            }
        }
    }

    /// The title of an existing or deleted object; nil for an unknown id.
    func title(of objectId: String) -> String? { titles[objectId] }

    // MARK: Backups

    /// The parts of the history that `rollBack` resets when the server is restored from a backup.
    struct Snapshot: Sendable {
        fileprivate let seen: Int64
        fileprivate let present: [String: [String: String]]
        fileprivate let living: Set<String>
    }

    var snapshot: Snapshot { Snapshot(seen: seen, present: present, living: Set(present.keys)) }

    /// Resets the parts of the history that the snapshot contains. `createCounts` then no longer counts the objects
    /// that the restore removes.
    mutating func rollBack(to snapshot: Snapshot) {
        for id in present.keys where !snapshot.living.contains(id) { forgetCreate(of: id) }
        seen = snapshot.seen
        present = snapshot.present
    }

    mutating func takeCreates(by party: String) -> [CreatedObject] { recentCreates.removeValue(forKey: party) ?? [] }

    mutating func forgetCreate(of objectId: String) {
        hasLostCreate = true
        guard let title = titles[objectId], let count = createCounts[title] else { return }
        createCounts[title] = max(0, count - 1)
    }
}
