/// The sync options of a class.
package struct ClassOptions: Sendable, Hashable {
    package var policy: ConflictPolicy = .merge
    /// An array field that receives the ids of operations, so that the outcome of a lost answer can be proven.
    package var opField: String?
    /// The remote's reason for refusing `opField`, in its own words; nil if it has not refused the field.
    package var opFieldRefusal: String?
    /// A boolean field that marks a deleted object; nil if objects are deleted for real.
    package var deletedField: String?
    /// Whether the members of relations are pulled.
    package var pullsRelations = true
    package var files = FileDownloads()

    /// The default name of `opField`. It is the same on all replicas, which share the field.
    package static let opFieldStandard = "tidegateOps"

    package init() {}
}

/// The side that wins if both sides changed the same data.
package enum ConflictPolicy: String, Sendable, Hashable, CaseIterable {
    /// The local operation wins field by field. A conflict between an edit and a deletion waits for a user.
    case merge
    /// The remote state wins.
    case remote
    /// The local state wins.
    case local
    /// Every conflict waits for a user.
    case manual
}
