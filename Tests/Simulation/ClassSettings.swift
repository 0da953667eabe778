import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The sync settings of the classes in one replica. The seed of the run determines them.
struct ClassSettings: Sendable {
    /// The settings that all replicas of a run share.
    struct Shared: Sendable {
        let opField: String?
        /// The boolean field that is true in a deleted `Place` object; nil if a deletion removes the row.
        let deletedField: String?

        /// The name of `deletedField` in runs in which deleted objects are marked.
        static let deletedFieldName = "gone"

        /// The mapping from classes to tables; empty if the server's rows carry types.
        let mapping: ClassMapping

        init(_ random: PartyRandom, _ kind: SeedKind) {
            mapping =
                kind.speaksDatasync
                ? ClassMapping(fields: [ServerHistory.pointerField: .pointer(TableColumns.pointerTarget)])
                : ClassMapping()
            opField = random.chance(0.4) ? "ops" : nil
            deletedField = random.chance(0.2) ? Self.deletedFieldName : nil
        }

        func deletedField(of className: String) -> String? { className == "Place" ? deletedField : nil }
    }

    let shared: Shared
    let policy: ConflictPolicy
    /// Whether the replica pulls only the `Note` objects that have a value in `b`.
    let isSubset: Bool
    let keys: [String]?
    /// The conditions that a `Note` object must meet to be pulled.
    private let conditions: JSONObject

    init(shared: Shared, _ random: PartyRandom, _ kind: SeedKind) {
        self.shared = shared
        policy = random.pick(weighted: [(.merge, 5), (.remote, 2), (.local, 2), (.manual, 2)]) ?? .merge
        isSubset = random.chance(kind == .strict ? 0.6 : 0.25)
        var keys = isSubset && random.chance(0.5) ? ["title", "n", "log", "b", "ops"] : nil
        // Some replicas increment the counter `n` without reading it.
        if kind.speaksDatasync, random.chance(0.5) { keys?.removeAll { $0 == "n" } }
        self.keys = keys
        conditions = kind == .strict ? Self.withInnerQuery(random) : ["b": ["$exists": true]]
    }

    /// Conditions for the objects with a value in `b`. An inner query (`$select` or `$dontSelect`) selects their ids.
    private static func withInnerQuery(_ random: PartyRandom) -> JSONObject {
        let selects = random.chance(0.5)
        let query: JSONValue = [
            "query": ["className": "Note", "where": ["b": ["$exists": .bool(selects)]]], "key": "objectId",
        ]
        return ["objectId": [selects ? "$select" : "$dontSelect": query]]
    }

    func options(of className: String) -> ClassOptions {
        var options = ClassOptions()
        options.policy = policy
        options.opField = shared.opField
        options.deletedField = shared.deletedField(of: className)
        options.mapping = shared.mapping
        return options
    }

    func pulls(of className: String) -> [NamedPull] {
        guard className == "Note", isSubset else { return [.all] }
        return [NamedPull(name: "some", conditions: conditions, keys: keys)]
    }

    /// The copy of a server object that this replica should have.
    /// - Returns: nil if the object is marked as deleted, or if the replica does not pull the object.
    func shown(_ object: JSONObject, of className: String) -> JSONObject? {
        if let field = shared.deletedField(of: className), object[field] == true { return nil }
        var object = object
        if let opField = shared.opField { object[opField] = nil }
        guard className == "Note", isSubset else { return object }
        guard object["b"] != nil else { return nil }
        guard let keys else { return object }
        var shown = object
        shown.removeAll { !(keys + ["objectId", "createdAt", "updatedAt", "ACL"]).contains($0) }
        return shown
    }
}
