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
    private(set) var makings: [String: Int] = [:]
    /// Titles of objects of which one was made by a request that arrived late.
    private(set) var madeLate: Set<String> = []
    private(set) var everyId: Set<String> = []
    /// Whose request has made an object, or made it again, the last time.
    private(set) var makers: [String: String] = [:]
    /// Objects that were made again under their old id.
    private(set) var remade: Set<String> = []
    /// Values that a field once had, as `title/field/value`.
    private var values: Set<String> = []
    /// What each of the fields that people set has been, in order.
    private(set) var turns: [Turn] = []
    /// When a party was last shown an object, by `party/title`, counted as `Turn.order` is.
    private var looks: [String: Int] = [:]
    private var order = 0
    /// Of the objects that are there: what the fields that people set are now.
    private var present: [String: [String: String]] = [:]
    private var titles: [String: String] = [:]
    /// How often each object has changed, by title.
    private(set) var changes: [String: Int] = [:]
    /// Changes of the parties since the last question about them.
    private var made: [String: [Making]] = [:]

    struct Making: Sendable {
        let className: String
        let objectId: String
    }

    /// Marks that stood in a log more than once: something was carried out twice.
    private(set) var doubled: [String] = []

    func held(_ value: String, in field: String, of title: String) -> Bool {
        values.contains("\(title)/\(field)/\(value)")
    }

    /// Something that the row itself does not hold as a text.
    mutating func note(_ value: String, in field: String, of title: String) {
        values.insert("\(title)/\(field)/\(value)")
    }

    /// - Parameter hand: whose request has made the change.
    mutating func add(_ entry: ChangeEntry, by hand: Hand) {
        guard let object = entry.json.flatMap({ try? JSONReader.read($0).object }),
            let title = object["title"]?.string
        else {
            if let title = titles[entry.objectId] { changes[title, default: 0] += 1 }
            turn(entry.objectId, to: nil, by: hand)
            return
        }
        titles[entry.objectId] = title
        let wasThere = present[entry.objectId] != nil
        changes[title, default: 0] += 1
        turn(entry.objectId, to: object[ClassSettings.Shared.goneField] == true ? nil : object, by: hand)
        if !wasThere, present[entry.objectId] != nil { makers[entry.objectId] = hand.party }
        if !everyId.insert(entry.objectId).inserted, entry.kind == .create { remade.insert(entry.objectId) }
        if entry.kind == .create {
            makings[title, default: 0] += 1
            if hand.isLate { madeLate.insert(title) }
            made[hand.party, default: []].append(Making(className: entry.className, objectId: entry.objectId))
        }
        if ids[title]?.contains(entry.objectId) != true { ids[title, default: []].append(entry.objectId) }
        if let target = object[Self.pointerField].flatMap(Pointer.init).flatMap({ titles[$0.objectId] }) {
            note(target, in: Self.pointerField, of: title)
        }
        for (field, value) in object {
            if let text = value.string { values.insert("\(title)/\(field)/\(text)") }
            guard let marks = value.array?.compactMap(\.string) else { continue }
            for mark in marks { values.insert("\(title)/\(field)/\(mark)") }
            if field == "log", Set(marks).count < marks.count, !doubled.contains(title) { doubled.append(title) }
        }
    }

    // MARK: Who overwrites what

    /// Whose request it is that the server carries out.
    struct Hand: Sendable {
        let party: String
        /// The party had given up waiting, or the network has made two requests of one.
        var isLate = false
    }

    /// A field that people set has come to be another one, or has gone with its object.
    struct Turn: Sendable {
        let order: Int
        let title: String
        let field: String
        let from: String?
        let to: String?
        /// The object has been deleted.
        let isDeletion: Bool
        let hand: Hand
        /// The order of what that party had last been shown of the object.
        let lastLook: Int
    }

    static let setFields = ["a", "b"]
    /// The content of a file, which is a part of its name: `CONTENT.txt`, or `HASH_CONTENT.txt` on the server.
    static func content(ofFile value: JSONValue) -> String? {
        guard value.object?["__type"] == "File", let name = value.object?["name"]?.string else { return nil }
        return name.split(separator: "_").last.flatMap { $0.split(separator: ".").first }.map(String.init)
    }

    static let (pointerField, fileField, relationField) = ("ref", "image", "friends")

    /// - Parameter object: nil where it is gone.
    private mutating func turn(_ objectId: String, to object: JSONObject?, by hand: Hand) {
        let before = present[objectId] ?? [:]
        var after: [String: String] = [:]
        for field in Self.setFields { after[field] = object?[field]?.string }
        present[objectId] = object == nil ? nil : after
        guard let title = titles[objectId] else { return }
        for field in Self.setFields where before[field] != after[field] {
            order += 1
            turns.append(
                Turn(
                    order: order, title: title, field: field, from: before[field], to: after[field],
                    isDeletion: object == nil, hand: hand, lastLook: looks["\(hand.party)/\(title)"] ?? 0))
        }
    }

    /// An answer that shows rows has arrived.
    mutating func noteLook(of party: String, at answer: JSONValue) {
        order += 1
        for part in answer.array?.map({ $0.object?["success"] }) ?? [answer] {
            for row in part?.object?["results"]?.array ?? [] {
                guard let title = row.object?["objectId"]?.string.flatMap({ titles[$0] }) else { continue }
                looks["\(party)/\(title)"] = order
            }
        }
    }

    /// The title of an object that is there or was.
    func title(of objectId: String) -> String? { titles[objectId] }

    // MARK: Going back

    /// A copied file's knowledge of the past.
    struct Moment: Sendable {
        fileprivate let seen: Int64
        fileprivate let present: [String: [String: String]]
        fileprivate let living: Set<String>
    }

    var moment: Moment { Moment(seen: seen, present: present, living: Set(present.keys)) }

    /// The server is back in an earlier state. Later changes count as never made.
    mutating func goBack(to moment: Moment) {
        for id in present.keys where !moment.living.contains(id) { forgetMaking(of: id) }
        seen = moment.seen
        present = moment.present
    }

    mutating func takeMade(by party: String) -> [Making] { made.removeValue(forKey: party) ?? [] }

    mutating func forgetMaking(of objectId: String) {
        guard let title = titles[objectId], let count = makings[title] else { return }
        makings[title] = max(0, count - 1)
    }
}
