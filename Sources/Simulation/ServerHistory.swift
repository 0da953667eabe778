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
    private(set) var everyId: Set<String> = []
    /// Objects that were made again under their old id.
    private(set) var remade: Set<String> = []
    /// Values that a field once had, as `title/field/value`.
    private var values: Set<String> = []
    /// Marks that stood in a log more than once: something was carried out twice.
    private(set) var doubled: [String] = []

    func held(_ value: String, in field: String, of title: String) -> Bool {
        values.contains("\(title)/\(field)/\(value)")
    }

    mutating func add(_ entry: ChangeEntry) {
        guard let object = entry.json.flatMap({ try? JSONReader.read($0).object }),
            let title = object["title"]?.string
        else { return }
        if !everyId.insert(entry.objectId).inserted, entry.kind == .create { remade.insert(entry.objectId) }
        if entry.kind == .create { makings[title, default: 0] += 1 }
        if ids[title]?.contains(entry.objectId) != true { ids[title, default: []].append(entry.objectId) }
        for (field, value) in object {
            if let text = value.string { values.insert("\(title)/\(field)/\(text)") }
            guard let marks = value.array?.compactMap(\.string) else { continue }
            for mark in marks { values.insert("\(title)/\(field)/\(mark)") }
            if field == "log", Set(marks).count < marks.count, !doubled.contains(title) { doubled.append(title) }
        }
    }
}
