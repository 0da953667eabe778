import ParseModel
import SyncModel

/// A synced class and its progress.
package struct SyncClass: Sendable, Hashable {
    package let name: String
    package let options: ClassOptions
    /// The pulls of the class, as a whole or in subsets. Empty for a class that is only pushed.
    package let pulls: [PullState]
    /// Why the pulls of the class are stopped; nil if they are not.
    package var stoppedBecause: String?

    package var isPulled: Bool { !pulls.isEmpty }
    package var initialSyncComplete: Bool { isPulled && pulls.allSatisfy { $0.completeSince != nil } }
    /// The remote's message if it refuses a pull of the class; nil otherwise.
    package var refusal: String? { pulls.lazy.compactMap(\.refusal).first }

    package func id(of pull: NamedPull) -> PullId {
        PullId(className: name, name: pull.name, asking: query(of: pull, livingOnly: true))
    }

    /// The query of a pull.
    /// - Parameter livingOnly: whether to leave out objects that are marked as deleted.
    package func query(of pull: NamedPull, livingOnly: Bool = false) -> PullQuery {
        var conditions = pull.conditions
        if livingOnly, let deletedField = options.deletedField {
            let isLiving: JSONObject = [deletedField: ["$ne": true]]
            conditions = conditions.isEmpty ? isLiving : ["$and": [.object(conditions), .object(isLiving)]]
        }
        return PullQuery(className: name, conditions: conditions, keys: pull.keys(with: options))
    }

    package init(
        name: String, options: ClassOptions = ClassOptions(), pulls: [PullState], stoppedBecause: String? = nil
    ) {
        self.stoppedBecause = stoppedBecause
        self.name = name
        self.options = options
        self.pulls = pulls
    }
}
