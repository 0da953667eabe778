import ParseModel
import RemoteService
import StoreService
import SyncModel

/// What a `PUT /sync/classes/{className}` sets: options that it does not name stay as they are, and null takes one back
/// to its default.
struct ClassOptionsChange: Sendable {
    private var policy: ConflictPolicy?
    private var opField: String??
    private var deletedField: String??
    private var pullsRelations: Bool?
    private var files: FileDownloads?
    private var pulls: [NamedPull]?

    /// - Parameter operators: those that the remote knows; nil for all of Parse's.
    /// - Throws: `ParseError` 102 for what cannot be set.
    init(_ json: JSONObject, operators: Set<String>?) throws(ParseError) {
        for (name, value) in json where !name.hasPrefix("_") {
            switch name {
            case "policy":
                let policies = ConflictPolicy.allCases.map(\.rawValue).joined(separator: ", ")
                guard let policy = ConflictPolicy(rawValue: value.isNull ? "merge" : value.string ?? "") else {
                    throw ParseError(.invalidQuery, "policy must be one of \(policies).")
                }
                self.policy = policy
            // The name that all replicas have in common is a word away.
            case "opField": opField = value == true ? ClassOptions.opFieldStandard : try Self.field(value, name)
            case "deletedField": deletedField = try Self.field(value, name)
            case "relations":
                guard let flag = value.isNull ? true : value.bool else {
                    throw ParseError(.invalidQuery, "relations must be true or false.")
                }
                pullsRelations = flag
            case "files":
                guard let files = value.isNull ? FileDownloads() : FileDownloads(json: value) else {
                    throw ParseError(
                        .invalidQuery,
                        "files must be eager, lazy or none, or one of these for each field and * for all others.")
                }
                for field in files.byField.keys { _ = try Self.field(.string(field), "each key of files but *") }
                self.files = files
            case "pulls": pulls = value.isNull ? [.all] : try PullsReader(operators: operators).read(value)
            default: throw ParseError(.invalidQuery, "unknown option of a class: \(name)")
            }
        }
    }

    /// - Throws: `ParseError` 102 where the options do not go together.
    static func check(_ options: ClassOptions) throws(ParseError) {
        if let field = options.opField, field == options.deletedField {
            throw ParseError(.invalidQuery, "opField and deletedField must be two fields.")
        }
    }

    func apply(to options: inout ClassOptions, _ pulls: inout [NamedPull]) {
        options.policy = policy ?? options.policy
        if let opField {
            options.opField = opField
            options.opFieldRefusal = nil
        }
        if let deletedField { options.deletedField = deletedField }
        options.pullsRelations = pullsRelations ?? options.pullsRelations
        options.files = files ?? options.files
        pulls = self.pulls ?? (pulls.isEmpty ? [.all] : pulls)
    }

    private static func field(_ value: JSONValue, _ name: String) throws(ParseError) -> String? {
        if value.isNull { return nil }
        guard let field = value.string, (try? FieldPath(field))?.segments.count == 1,
            !["objectId", "createdAt", "updatedAt", "ACL"].contains(field)
        else {
            throw ParseError(.invalidQuery, "\(name) must be the name of a field of its own.")
        }
        return field
    }
}

/// Reads the list of a class's pulls: `[{"name": "recent", "where": {…}, "keys": ["name", "date"]}]`.
private struct PullsReader {
    let operators: Set<String>?

    /// How many pulls a class may have, and how long one's `where` may be.
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
        // What no query here may ask, the remote would refuse in each sync.
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
    /// Every key in it that begins with `$`.
    fileprivate var operators: [String] {
        switch self {
        case .array(let elements): elements.flatMap(\.operators)
        case .object(let object):
            object.flatMap { ($0.key.hasPrefix("$") ? [$0.key] : []) + $0.value.operators }
        default: []
        }
    }
}

extension JSONObject {
    /// Adds how a class is synced.
    mutating func set(_ syncClass: SyncClass) {
        let options = syncClass.options
        self["policy"] = .string(options.policy.rawValue)
        self["opField"] = options.opField.map(JSONValue.string) ?? .null
        self["opFieldRefusal"] = options.opFieldRefusal.map(JSONValue.string) ?? .null
        // It adds a field to the remote's class, so it is offered and never set by itself.
        if options.opField == nil { self["opFieldOffer"] = .string(ClassOptions.opFieldStandard) }
        self["deletedField"] = options.deletedField.map(JSONValue.string) ?? .null
        self["relations"] = .bool(options.pullsRelations)
        self["files"] = options.files.json
        self["pulls"] = .array(
            syncClass.pulls.map { state in
                [
                    "name": .string(state.pull.name), "where": .object(state.pull.conditions),
                    "keys": state.pull.keys.map { .array($0.map(JSONValue.string)) } ?? .null,
                    "initialSyncComplete": .bool(state.completeSince != nil),
                    "auditedAt": state.auditedAt.map { .string($0.iso) } ?? .null,
                ]
            })
    }
}
