/// The fields and included objects of a response, from the parameters `keys`, `excludeKeys` and `include`, by the rules
/// of Parse Server's `RestQuery`.
package struct FieldSelection: Sendable, Hashable {
    /// The selected paths; nil selects all fields. The first segment of a path selects a whole field of the object.
    /// Further segments select fields of the object that replaces a pointer.
    package let keys: [[String]]?
    /// The excluded paths. A path with several segments excludes a field of the object that replaces a pointer.
    package let excludedKeys: [[String]]
    package let includes: Includes
    /// The excluded fields of the object itself. The fields in `always` cannot be excluded.
    private let excludedFields: Set<String>
    /// The selected paths inside each field, without their first segment. For example, the path `country.name` is
    /// stored as `name` under the key `country`. `excludedBelow` contains the excluded paths in the same way.
    private let keysBelow: [String: [[String]]]
    private let excludedBelow: [String: [[String]]]

    /// The fields whose pointers the response replaces by objects, as a tree. For each of these fields, `fields`
    /// contains the tree for the objects that replace the pointers.
    package struct Includes: Sendable, Hashable {
        package private(set) var fields: [String: Includes] = [:]
        /// True to replace the pointers in all pointer fields and array fields by objects.
        package var includesAll = false

        package init() {}

        package var isEmpty: Bool { fields.isEmpty && !includesAll }

        package mutating func insert(_ path: some Collection<String>) {
            guard let first = path.first else { return }
            fields[first, default: Includes()].insert(path.dropFirst())
        }
    }

    /// Fields that every response contains, regardless of `keys` (`AlwaysSelectedKeys` of Parse Server).
    package static let always: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL"]

    /// All fields of the object, and no included objects.
    package static let all = FieldSelection()

    /// Combines the parameters. In `keys` and `excludedKeys`, a path such as `country.name` also includes the pointer `country`.
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

    /// Whether objects are returned unchanged.
    package var isWhole: Bool { keys == nil && excludedKeys.isEmpty && includes.isEmpty }

    /// Whether the response contains only the ids of objects (and the dates and ACL that every response contains).
    package var isOfIds: Bool { keys == [["objectId"]] && excludedKeys.isEmpty && includes.isEmpty }

    /// Whether a selected object contains the field. Used for fields that are neither pointers nor arrays.
    package func shows(_ field: String) -> Bool {
        !excludedFields.contains(field) && keys?.contains { $0.first == field } != false
    }

    /// The selected fields of an object. Without `keys`, these are all fields in the object's order. With `keys`, these are the
    /// fields in `keys`, then all pointer and array fields if `includesAll` is set, then the fields of `always`. Excluded fields
    /// are left out.
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

    /// The selection for the objects that replace the pointers of a field; nil if the field's pointers are not
    /// replaced.
    package func below(_ field: String, _ value: JSONValue) -> FieldSelection? {
        let isIncludedByAll = includes.includesAll && (Pointer(value) != nil || value.array != nil)
        guard let below = includes.fields[field] ?? (isIncludedByAll ? Includes() : nil) else { return nil }
        return FieldSelection(
            keys: keysBelow[field], excludedKeys: excludedBelow[field] ?? [], includes: below)
    }
}
