/// How a class is synced.
package struct ClassOptions: Sendable, Hashable {
    package var policy: ConflictPolicy = .merge
    /// An array field that takes the ids of operations, so that a lost reply leaves no doubt.
    package var opField: String?
    /// Why the remote does not take that field, in its own words; nil as long as it has not refused it.
    package var opFieldRefusal: String?
    /// A field whose truth means that the object is deleted; nil where deletion removes it.
    package var deletedField: String?
    /// Whether the members of relations are pulled.
    package var pullsRelations = true
    package var files = FileDownloads()

    /// The field's name where nothing else is said: the same on all replicas, which share it.
    package static let opFieldStandard = "tidegateOps"

    package init() {}
}

/// Who wins where both sides have changed the same thing.
package enum ConflictPolicy: String, Sendable, Hashable, CaseIterable {
    /// By field the local operation; between an edit and a deletion a person.
    case merge
    /// What the remote has.
    case remote
    /// What was done here.
    case local
    /// A person, always.
    case manual
}
