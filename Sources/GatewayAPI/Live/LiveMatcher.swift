import ParseModel
import StoreService

/// Tests whether states of objects meet the conditions of live queries.
enum LiveMatcher {
    /// - Parameter predicates: alternatives, which differ in the ids of renamed objects.
    /// - Throws: `ParseError` 124 (timeout) for a regular expression that takes too long.
    static func matches(_ predicates: [Predicate], _ object: JSONObject, of className: String) throws -> Bool {
        let matcher = Matcher(className: className, lookups: lookups)
        return try predicates.contains { try matcher.matches($0, object) }
    }

    /// Live queries have no subqueries, and the members of relations are not in the states of objects.
    private static var lookups: Matcher.Lookups {
        Matcher.Lookups(
            regex: { try RegularExpression.compiled($0, options: $1).matches($2) },
            isMember: { _, _, _ in false }, objects: { _ in [] })
    }
}

/// Finds the groups of subscriptions that a change may concern. A group whose conditions require a field to equal a value
/// is found by the value. So most changes are compared with few groups.
struct LiveIndex<Key: Hashable & Sendable>: Sendable {
    /// A value by which a group is found.
    private enum Entry: Hashable, Sendable {
        case text(String)
        case number(Double)
        case bool(Bool)
        case pointer(Pointer)

        init?(_ value: JSONValue) {
            switch value {
            case .string(let text): self = .text(text)
            case .number(let number): self = .number(number.double)
            case .bool(let flag): self = .bool(flag)
            case .object(let object):
                if let pointer = Pointer(value) {
                    self = .pointer(pointer)
                } else if let name = FileReference(.object(object))?.name {
                    self = .text(name)
                } else {
                    return nil
                }
            case .null, .array: return nil
            }
        }
    }

    /// The place of a group: the name of a field and the value that it must have, or nil if the conditions require none.
    private struct Place: Hashable {
        let field: String
        let entry: Entry
    }

    private var byField: [String: [Entry: Set<Key>]] = [:]
    private var others: Set<Key> = []

    var isEmpty: Bool { byField.isEmpty && others.isEmpty }

    mutating func insert(_ key: Key, _ predicates: [Predicate]) {
        guard let places = Self.places(predicates) else {
            others.insert(key)
            return
        }
        for place in places { byField[place.field, default: [:]][place.entry, default: []].insert(key) }
    }

    mutating func remove(_ key: Key, _ predicates: [Predicate]) {
        guard let places = Self.places(predicates) else {
            others.remove(key)
            return
        }
        for place in places {
            byField[place.field]?[place.entry]?.remove(key)
            if byField[place.field]?[place.entry]?.isEmpty == true { byField[place.field]?[place.entry] = nil }
            if byField[place.field]?.isEmpty == true { byField[place.field] = nil }
        }
    }

    /// The groups that may match one of the states.
    func candidates(_ states: [JSONObject]) -> Set<Key> {
        var found = others
        for (field, entries) in byField {
            for state in states {
                guard let value = state[field] else { continue }
                for element in [value] + (value.array ?? []) {
                    if let keys = Entry(element).flatMap({ entries[$0] }) { found.formUnion(keys) }
                }
            }
        }
        return found
    }

    /// A place for each of the alternatives; nil if one of them requires no value of a field.
    private static func places(_ predicates: [Predicate]) -> [Place]? {
        var places: [Place] = []
        for predicate in predicates {
            guard let place = predicate.required.lazy.compactMap(place).first else { return nil }
            places.append(place)
        }
        return places
    }

    private static func place(_ condition: Predicate) -> Place? {
        guard case .field(let path, .equal(let value)) = condition, path.segments.count == 1,
            path.segments[0] != "createdAt", path.segments[0] != "updatedAt", let entry = Entry(value)
        else { return nil }
        return Place(field: path.segments[0], entry: entry)
    }
}
