/// Which fields of an object an answer shows, and which pointers it shows the objects of: what `keys`, `excludeKeys` and
/// `include` say together, as `RestQuery` of Parse Server takes them.
package struct FieldSelection: Sendable, Hashable {
    /// Paths to show, of which fields are shown whole; nil for all. Below an included pointer they narrow its object.
    package let keys: [[String]]?
    /// Paths to leave out. One of several segments leaves a field of an included object out.
    package let excludedKeys: [[String]]
    package let includes: Includes
    /// Fields that are left out whole.
    private let excludedFields: Set<String>
    /// The paths by the field that they begin with, so that no object is compared with all of them.
    private let keysBelow: [String: [[String]]]
    private let excludedBelow: [String: [[String]]]

    /// Pointers whose objects stand in their place, by the field that holds them.
    package struct Includes: Sendable, Hashable {
        package private(set) var fields: [String: Includes] = [:]
        /// Whether every field that is a pointer or an array is meant.
        package var includesAll = false

        package init() {}

        package var isEmpty: Bool { fields.isEmpty && !includesAll }

        package mutating func insert(_ path: some Collection<String>) {
            guard let first = path.first else { return }
            fields[first, default: Includes()].insert(path.dropFirst())
        }
    }

    /// Always part of an answer, whatever the keys say (`AlwaysSelectedKeys` of Parse Server).
    package static let always: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL"]

    /// A key with dots includes the pointers on the way to it.
    package init(
        keys: [String]? = nil, excludedKeys: [String] = [], include: [String] = [], includesAll: Bool = false
    ) {
        let (keys, excludedKeys) = (keys?.map(Self.segments), excludedKeys.map(Self.segments))
        var includes = Includes()
        includes.includesAll = includesAll
        for path in include { includes.insert(Self.segments(path)) }
        for path in (keys ?? []) + excludedKeys { includes.insert(path.dropLast()) }
        self.init(keys: keys, excludedKeys: excludedKeys, includes: includes)
    }

    private init(keys: [[String]]?, excludedKeys: [[String]], includes: Includes) {
        self.keys = keys
        self.excludedKeys = excludedKeys
        self.includes = includes
        excludedFields = Set(excludedKeys.filter { $0.count == 1 }.map { $0[0] }).subtracting(Self.always)
        keysBelow = Self.below(keys ?? [])
        excludedBelow = Self.below(excludedKeys)
    }

    private static func below(_ paths: [[String]]) -> [String: [[String]]] {
        var below: [String: [[String]]] = [:]
        for path in paths where path.count > 1 { below[path[0], default: []].append(Array(path.dropFirst())) }
        return below
    }

    private static func segments(_ path: String) -> [String] { path.split(separator: ".").map(String.init) }

    /// Whether an object is shown as it is.
    package var isWhole: Bool { keys == nil && excludedKeys.isEmpty && includes.isEmpty }

    /// Whether no more is asked for than which objects there are.
    package var isOfIds: Bool { keys == [["objectId"]] && excludedKeys.isEmpty && includes.isEmpty }

    /// The fields of an object that are shown, in the order of the keys, and then those that always are.
    package func selected(from object: JSONObject) -> JSONObject {
        let excluded = excludedFields
        guard let keys else {
            return JSONObject(object.lazy.filter { !excluded.contains($0.key) }.map { ($0.key, $0.value) })
        }
        var selected = JSONObject()
        for name in keys.compactMap(\.first) where !excluded.contains(name) { selected[name] = object[name] }
        if includes.includesAll {
            for (name, value) in object where Pointer(value) != nil || value.array != nil {
                if !excluded.contains(name) { selected[name] = value }
            }
        }
        for name in ["objectId", "createdAt", "updatedAt", "ACL"] { selected[name] = object[name] }
        return selected
    }

    /// What is shown of the object that a field points to; nil where it stays a pointer.
    package func below(_ field: String, _ value: JSONValue) -> FieldSelection? {
        let isMeantByAll = includes.includesAll && (Pointer(value) != nil || value.array != nil)
        guard let below = includes.fields[field] ?? (isMeantByAll ? Includes() : nil) else { return nil }
        return FieldSelection(
            keys: keysBelow[field], excludedKeys: excludedBelow[field] ?? [], includes: below)
    }
}
