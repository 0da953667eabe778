import ParseModel
import SyncModel

/// A conflict between a local change and the remote's state of the object, open or resolved.
package struct ListedConflict: Sendable {
    package let id: Int64
    /// The user who made the change in conflict. Present only in lists for the master key of a site replica (a replica
    /// for several users). Nil for the gateway, and for a client without a session.
    package let userId: String?
    package let className: String
    package let objectId: String
    package let kind: ConflictKind
    package let fields: [String]
    /// The states of the object when the conflict was found, as JSON text: the common earlier state (`base`), the local
    /// state and the remote's state. Nil for a state that is unknown, or in which the object does not exist.
    package var base: String?
    package var local: String?
    package var remote: String?
    /// For a create of unknown outcome: the ids of the remote objects, except `remote`, that the create may have
    /// produced.
    package let candidates: [String]
    /// For an open conflict about the outcome of a request: the operations of the request. Nil for other conflicts.
    package let operations: JSONObject?
    package let foundAt: ParseDate
    package let resolution: String?
    package let resolvedAt: ParseDate?
    /// A text in the form of an entity tag, which changes if one of the three states or the request in question changes.
    /// It is computed from the whole states, also if the reader may not see all fields.
    package let tag: String

    package init(
        userId: String? = nil, id: Int64, className: String, objectId: String, kind: ConflictKind, fields: [String],
        base: String?,
        local: String?, remote: String?, candidates: [String], operations: JSONObject?, foundAt: ParseDate,
        resolution: String?, resolvedAt: ParseDate?
    ) {
        self.userId = userId
        self.id = id
        self.className = className
        self.objectId = objectId
        self.kind = kind
        self.fields = fields
        self.base = base
        self.local = local
        self.remote = remote
        self.candidates = candidates
        self.operations = operations
        self.foundAt = foundAt
        self.resolution = resolution
        self.resolvedAt = resolvedAt
        tag = EntryTag.tag(of: [kind.rawValue, base, local, remote, operations?.jsonText])
    }
}
