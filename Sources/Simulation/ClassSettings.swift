import ParseModel
import RemoteService
import StoreService
import SyncModel

/// How the classes of a run are synced, drawn for each run and each replica.
struct ClassSettings: Sendable {
    /// The same for all replicas: who keeps ids of operations, keeps them for everybody.
    struct Shared: Sendable {
        let opField: String?
        /// Of `Place` only.
        let deletedField: String?

        /// What `deletedField` is, where there is one.
        static let deletedFieldName = "gone"

        init(_ random: PartyRandom) {
            opField = random.chance(0.4) ? "ops" : nil
            deletedField = random.chance(0.2) ? Self.deletedFieldName : nil
        }

        func deletedField(of className: String) -> String? { className == "Place" ? deletedField : nil }
    }

    let shared: Shared
    let policy: ConflictPolicy
    /// Of `Note`: the whole class, or those that have a value of `b`.
    let isSubset: Bool
    let keys: [String]?

    init(shared: Shared, _ random: PartyRandom) {
        self.shared = shared
        policy = random.pick(weighted: [(.merge, 5), (.remote, 2), (.local, 2), (.manual, 2)]) ?? .merge
        isSubset = random.chance(0.25)
        keys = isSubset && random.chance(0.5) ? ["title", "n", "log", "b", "ops"] : nil
    }

    func options(of className: String) -> ClassOptions {
        var options = ClassOptions()
        options.policy = policy
        options.opField = shared.opField
        options.deletedField = shared.deletedField(of: className)
        return options
    }

    func pulls(of className: String) -> [NamedPull] {
        guard className == "Note", isSubset else { return [.all] }
        return [NamedPull(name: "some", conditions: ["b": ["$exists": true]], keys: keys)]
    }

    /// What a replica has of an object of the server; nil where it has nothing.
    func shown(_ object: JSONObject, of className: String) -> JSONObject? {
        if let field = shared.deletedField(of: className), object[field] == true { return nil }
        var object = object
        if let opField = shared.opField { object[opField] = nil }
        guard className == "Note", isSubset else { return object }
        guard object["b"] != nil else { return nil }
        guard let keys else { return object }
        var shown = object
        shown.removeAll { !(keys + ["objectId", "createdAt", "updatedAt"]).contains($0) }
        return shown
    }
}
