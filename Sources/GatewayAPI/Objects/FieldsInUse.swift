import ParseModel
import StoreService

/// The fields that occur in objects, each with the type of its first value that is not null. A client without the right to read
/// the schema of a class learns from them which fields the class has: only those of objects that it may read.
struct FieldsInUse {
    /// The types by the texts of the names; nil as long as all values are null.
    private var types: [[UInt8]: FieldType?] = [:]
    /// The names of the last object, in order. Most objects of a class have the same fields in the same order.
    private var last: [[UInt8]] = []
    private let defaults: [(name: String, type: FieldType)]

    /// The maximum number of objects that are read.
    static let objectsMax = 200_000

    init(of className: String) { defaults = DefaultFields.of(className) }

    mutating func note(_ object: StoredObject) {
        var place = 0
        JSONMembers.forEach(in: object.json) { name, value in
            defer { place += 1 }
            if place < last.count, last[place].elementsEqual(name) {
                if isKnown(last[place]) { return }
            } else if place < last.count {
                last[place] = Array(name)
            } else {
                last.append(Array(name))
            }
            let name = last[place]
            if !isKnown(name) { types[name] = .some(type(name, value)) }
        }
    }

    private func isKnown(_ name: [UInt8]) -> Bool {
        guard let type = types[name] else { return false }
        return type != nil
    }

    private func type(_ name: [UInt8], _ value: ArraySlice<UInt8>) -> FieldType? {
        if let known = defaults.first(where: { $0.name.utf8.elementsEqual(name) }) { return known.type }
        return (try? JSONReader.read(Array(value), depthMax: JSONReader.storedDepthMax)).flatMap(FieldType.init(of:))
    }

    /// `{"title":{"type":"String"},…}`, sorted by name, without fields whose values are all null.
    var json: JSONObject {
        var json = JSONObject()
        for (name, type) in types.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            if let type { json[String(decoding: name, as: UTF8.self)] = .object(type.json) }
        }
        return json
    }
}
