import ParseModel
import SyncModel

/// A named query by which a sync fetches objects of a class: a subset of the class, or the whole class.
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

    /// The default pull: the whole class.
    package static let all = NamedPull(name: "all")

    package var isWholeClass: Bool { conditions.isEmpty }

    /// The fields to request: `keys` and the fields that the options of the class need. Nil for all fields.
    package func keys(with options: ClassOptions) -> [String]? {
        keys.map { keys in
            keys + [options.opField, options.deletedField].compactMap(\.self).filter { !keys.contains($0) }
        }
    }
}

/// Identifies a pull of a class, and the settings with which one of its pages was requested.
package struct PullId: Sendable, Hashable {
    package let className: String
    package let name: String
    /// The query with which a page was requested. If the pull has another query when the page arrives, the store
    /// ignores the page. Nil skips this check.
    package let asking: PullQuery?
    /// The mapping of the class when a page was requested. If the class has another mapping when the page arrives, the
    /// store ignores the page. Nil skips this check.
    package let mapping: ClassMapping?

    package init(className: String, name: String, asking: PullQuery? = nil, mapping: ClassMapping? = nil) {
        self.mapping = mapping
        self.className = className
        self.name = name
        self.asking = asking
    }

    /// Stands for all objects of a class, regardless of their pulls. No real pull has an empty name.
    package static func allObjects(of className: String) -> PullId { PullId(className: className, name: "") }
}

/// The progress of one pull of a class.
package struct PullState: Sendable, Hashable {
    package let pull: NamedPull
    package let cursor: PullCursor?
    /// The server time at which the last complete pull began; nil before the first complete pull.
    package let completeSince: ParseDate?
    /// The server time at which the unfinished pull began. Nil after a complete pull, and before the first page.
    package let began: ParseDate?
    /// The server time of the last audit (comparison with the remote) of all rows. If there was none: of the first
    /// complete pull. Nil before both.
    package let auditedAt: ParseDate?
    /// The server time of the last audit of any kind: of all rows, or only of the newest rows. If there was none: of
    /// the first complete pull. Nil before both.
    package let recentlyAuditedAt: ParseDate?
    /// The remote's message if it refused the latest request of the pull; nil otherwise.
    package let refusal: String?
    /// The position in the remote's change feed after which the next sync reads deletions. Nil for a remote without a
    /// feed, and before the first sync in which the numbers of local and remote objects are equal.
    package let deletionsSince: String?

    /// Whether an audit is owed, because a user has confirmed a removal and the remote may show the objects again.
    package var expectsReturn: Bool { auditedAt?.milliseconds == 0 }

    package init(
        pull: NamedPull, cursor: PullCursor? = nil, completeSince: ParseDate? = nil, began: ParseDate? = nil,
        auditedAt: ParseDate? = nil, recentlyAuditedAt: ParseDate? = nil, refusal: String? = nil,
        deletionsSince: String? = nil
    ) {
        self.pull = pull
        self.cursor = cursor
        self.completeSince = completeSince
        self.began = began
        self.auditedAt = auditedAt
        self.recentlyAuditedAt = recentlyAuditedAt
        self.refusal = refusal
        self.deletionsSince = deletionsSince
    }
}
