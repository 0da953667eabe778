import ParseModel
import SyncModel

/// One of the subsets in which a class is pulled.
package struct NamedPull: Sendable, Hashable {
    package let name: String
    /// The `where` of the subset; empty for the whole class.
    package let conditions: JSONObject
    /// The fields that are pulled; nil for all.
    package let keys: [String]?

    package init(name: String, conditions: JSONObject = [:], keys: [String]? = nil) {
        self.name = name
        self.conditions = conditions
        self.keys = keys
    }

    /// The whole class, the default.
    package static let all = NamedPull(name: "all")

    package var isWholeClass: Bool { conditions.isEmpty }

    /// The requested fields, including those that the class's options need.
    package func keys(with options: ClassOptions) -> [String]? {
        keys.map { keys in
            keys + [options.opField, options.deletedField].compactMap(\.self).filter { !keys.contains($0) }
        }
    }
}

/// The identifier of one pull of one class.
package struct PullId: Sendable, Hashable {
    package let className: String
    package let name: String
    /// The `where` and keys of the pull at its start. A page is discarded if the pull was changed since its request. Nil to
    /// accept every page.
    package let asking: PullQuery?

    package init(className: String, name: String, asking: PullQuery? = nil) {
        self.className = className
        self.name = name
        self.asking = asking
    }

    /// All objects of a class, from any pull. No pull has this empty name.
    package static func allObjects(of className: String) -> PullId { PullId(className: className, name: "") }
}

/// The progress of one pull of a class.
package struct PullState: Sendable, Hashable {
    package let pull: NamedPull
    package let cursor: PullCursor?
    /// Server time at which the last complete pull began; nil before the end of the first one.
    package let completeSince: ParseDate?
    /// Server time at which an unfinished first pull began.
    package let began: ParseDate?
    /// Server time of the last audit, or of the first complete pull.
    package let auditedAt: ParseDate?
    /// Server time of the last comparison of the newest rows, or of the first complete pull.
    package let recentlyAuditedAt: ParseDate?
    /// The remote's message if it refused the latest request of the pull.
    package let refusal: String?

    package init(
        pull: NamedPull, cursor: PullCursor? = nil, completeSince: ParseDate? = nil, began: ParseDate? = nil,
        auditedAt: ParseDate? = nil, recentlyAuditedAt: ParseDate? = nil, refusal: String? = nil
    ) {
        self.pull = pull
        self.cursor = cursor
        self.completeSince = completeSince
        self.began = began
        self.auditedAt = auditedAt
        self.recentlyAuditedAt = recentlyAuditedAt
        self.refusal = refusal
    }
}
