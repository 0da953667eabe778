import ParseModel
import StoreService

/// Parses the option `pulls` of a class, which names the subsets of objects to keep:
/// `[{"name": "recent", "where": {…}, "keys": ["name", "date"]}]`.
struct PullsReader {
    let operators: Set<String>?

    /// The maximum number of pulls of a class, and the largest size of a pull's `where` in bytes.
    private static let pullsMax = 20
    private static let conditionsBytesMax = 10_000

    func read(_ value: JSONValue) throws(ParseError) -> [NamedPull] {
        guard let list = value.array, list.count <= Self.pullsMax else {
            throw ParseError(.invalidQuery, "pulls must be a list of at most \(Self.pullsMax).")
        }
        var pulls: [NamedPull] = []
        for item in list {
            let pull = try self.pull(item)
            guard !pulls.contains(where: { $0.name == pull.name }) else {
                throw ParseError(.invalidQuery, "two pulls have the name \(pull.name).")
            }
            pulls.append(pull)
        }
        return pulls
    }

    private func pull(_ value: JSONValue) throws(ParseError) -> NamedPull {
        guard let object = value.object, let name = object["name"]?.string, !name.isEmpty, name.utf8.count <= 100 else {
            throw ParseError(.invalidQuery, "each pull must be an object with a name of at most 100 bytes.")
        }
        if let unknown = object.keys.first(where: { !["name", "where", "keys"].contains($0) }) {
            throw ParseError(.invalidQuery, "unknown option of a pull: \(unknown)")
        }
        return NamedPull(
            name: name, conditions: try conditions(object["where"] ?? .null), keys: try keys(object["keys"] ?? .null))
    }

    private func conditions(_ value: JSONValue) throws(ParseError) -> JSONObject {
        if value.isNull { return [:] }
        guard let conditions = value.object, value.jsonText.utf8.count <= Self.conditionsBytesMax else {
            throw ParseError(.invalidQuery, "where must be an object of at most \(Self.conditionsBytesMax) bytes.")
        }
        if let operators, let unknown = value.operators.first(where: { !operators.contains($0) }) {
            throw ParseError(.invalidQuery, "bad constraint: \(unknown)")
        }
        // Invalid conditions are refused here. The remote would refuse them in every sync.
        _ = try ParseQuery(parameters: ["where": value])
        return conditions
    }

    private func keys(_ value: JSONValue) throws(ParseError) -> [String]? {
        if value.isNull { return nil }
        guard let names = value.array?.map(\.string), !names.isEmpty else {
            throw ParseError(.invalidQuery, "keys must be a list of names.")
        }
        var keys: [String] = []
        for name in names {
            guard let name, (try? FieldPath(name))?.segments.count == 1 else {
                throw ParseError(.invalidQuery, "keys must be names of fields.")
            }
            keys.append(name)
        }
        return keys
    }
}

extension JSONValue {
    /// All keys that begin with `$`, at every depth of the value.
    fileprivate var operators: [String] {
        switch self {
        case .array(let elements): elements.flatMap(\.operators)
        case .object(let object):
            object.flatMap { ($0.key.hasPrefix("$") ? [$0.key] : []) + $0.value.operators }
        default: []
        }
    }
}
