import ParseModel

/// The sync options of a class.
package struct ClassOptions: Sendable, Hashable {
    package var policy: ConflictPolicy = .merge
    /// The name of the array field that holds operation ids, the ids of single changes; nil if the class has none. A
    /// request for a create, or for an update that is not idempotent, adds the id of its change. If the answer is lost,
    /// the id in the row proves that the request was executed.
    package var opField: String?
    /// Whether a user has decided that the class has no `opField`. Without this decision, a class whose remote schema
    /// has the array field `opFieldStandard` uses that field.
    package var declinesOpField = false
    /// The error message with which the remote refused the `opField`; nil if the remote has not refused it.
    package var opFieldRefusal: String?
    /// The name of a boolean field that is true in deleted objects; nil if the remote removes the rows of deleted objects.
    package var deletedField: String?
    /// Whether the members of relations are pulled.
    package var pullsRelations = true
    package var files = FileDownloads()
    /// The declared mapping to the remote's table. The mapping that applies also has the types that the remote
    /// describes.
    package var mapping = ClassMapping()
    /// The fields whose texts are ids of other objects. When the remote gives an object another id than its local one,
    /// these texts take the new id.
    package var idFields = IdFields()

    /// The `opField` that the class option `"opField": true` selects, and the default for classes that have this field on the remote.
    /// The API proposes this name for other classes without an `opField`. All replicas use the same name, because all replicas share
    /// the field.
    package static let opFieldStandard = "tidegateOps"

    package init() {}
}

/// How the conflicts of a class are resolved.
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
