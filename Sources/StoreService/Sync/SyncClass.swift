import ParseModel
import SyncModel

/// A synced class and its progress.
package struct SyncClass: Sendable, Hashable {
    package let name: String
    package let options: ClassOptions
    /// The pulls of the class, each with its progress. Empty for a class whose changes are sent but which is not
    /// pulled.
    package let pulls: [PullState]
    /// The mapping of the class: its remote table, and the types of the table's values, as in `SyncClassStore.mapping`.
    /// Nil if the remote stores Parse's types.
    package var mapping: ClassMapping?
    /// Why the pulls of the class are stopped; nil if they are not.
    package var stoppedBecause: String?
    /// The conditions that requests of a pull contain instead of the pull's own conditions, by the name of the pull.
    /// Both match the same objects.
    package var resolvedConditions: [String: JSONObject] = [:]

    package var isPulled: Bool { !pulls.isEmpty }
    package var initialSyncComplete: Bool { isPulled && pulls.allSatisfy { $0.completeSince != nil } }
    /// The remote's message, if it refuses a pull of the class; nil otherwise.
    package var refusal: String? { pulls.lazy.compactMap(\.refusal).first }

    package func id(of pull: NamedPull) -> PullId {
        PullId(
            className: name, name: pull.name, asking: query(of: pull, by: pull.conditions, also: living),
            mapping: mapping)
    }

    /// The query of a pull.
    /// - Parameter livingOnly: whether to leave out objects that are marked as deleted.
    package func query(of pull: NamedPull, livingOnly: Bool = false) -> PullQuery {
        query(of: pull, by: conditions(of: pull), also: livingOnly ? living : nil)
    }

    /// The query for the objects of a pull that are marked as deleted; nil if the class has no `deletedField`.
    package func deletedQuery(of pull: NamedPull) -> PullQuery? {
        options.deletedField.map { query(of: pull, by: conditions(of: pull), also: [$0: true]) }
    }

    private func conditions(of pull: NamedPull) -> JSONObject { resolvedConditions[pull.name] ?? pull.conditions }

    /// A condition for objects that are not marked as deleted; nil if the class has no `deletedField`.
    private var living: JSONObject? { options.deletedField.map { [$0: ["$ne": true]] } }

    private func query(
        of pull: NamedPull, by conditions: JSONObject, also condition: JSONObject?
    ) -> PullQuery {
        var conditions = conditions
        if let condition {
            conditions = conditions.isEmpty ? condition : ["$and": [.object(conditions), .object(condition)]]
        }
        return PullQuery(className: name, conditions: conditions, keys: pull.keys(with: options))
    }

    package init(
        name: String, options: ClassOptions = ClassOptions(), pulls: [PullState], mapping: ClassMapping? = nil,
        stoppedBecause: String? = nil
    ) {
        self.mapping = mapping
        self.stoppedBecause = stoppedBecause
        self.name = name
        self.options = options
        self.pulls = pulls
    }
}
