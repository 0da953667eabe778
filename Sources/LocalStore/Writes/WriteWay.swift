import GRDB
import ParseModel
import StoreService
import SyncModel

/// What `LocalWrites` leaves to the kind of store: `StandaloneWrites` has the only state of each object, `ReplicaWrites` changes a copy and
/// queues the change for the remote.
protocol WriteWay: SendableMetatype {
    init(_ transaction: StoreTransaction)

    /// The rules for users and sessions; nil if the remote has them.
    func accounts(for className: String) -> AccountWrites?

    // MARK: Before the write

    /// The times of a new object.
    /// - Throws: `ParseError` 142 (validation failed).
    func times(in body: JSONObject) throws(ParseError) -> (created: ParseDate, updated: ParseDate)

    /// Whether a client may choose the id of a new object, if the settings allow it.
    func acceptsChosenIds() throws -> Bool

    /// - Throws: `ParseError` 105 (invalid field name) for a field that the store writes itself.
    func checkFields(of body: JSONObject, className: String) throws

    /// The schema for the checks; nil if no type of the class is known.
    func schema(of className: String) throws -> ClassSchema?

    /// Adds the fields of a checked write that its schema lacks.
    /// - Returns: the values that the schema adds to the object.
    /// - Throws: `ParseError` 111 (incorrect type) for a second GeoPoint field.
    func addFields(of write: SchemaCheck.Checked, className: String, creates: Bool) throws -> SchemaAdditions

    /// A file in a field, with the address that a client may set.
    func addressing(_ file: FileReference) -> FileReference

    /// The installation that a write of `_Installation` concerns; nil for a new one.
    /// - Parameters:
    ///   - objectId: the id of the updated installation; nil for a create.
    ///   - named: the `objectId` in the body of an update; nil for none.
    func installation(
        of body: WriteBody, updating objectId: String?, named: String?, _ terms: WriteTerms
    ) throws
        -> String?

    // MARK: The write

    /// - Parameters:
    ///   - view: the new object, as clients see it.
    ///   - hasChosenId: whether the client has chosen the id.
    func create(
        _ object: inout LocalObject, _ operations: FieldOperations, making view: ObjectState, hasChosenId: Bool) throws

    /// - Parameters:
    ///   - view: the object before the update.
    ///   - fields: its fields after the update.
    ///   - shown: its fields after the update, with the relations of the class.
    /// - Returns: the fields that the class's conflict policy left unchanged.
    /// - Throws: `StoreError.stale` if the store records no conflict about it.
    func update(
        _ object: inout LocalObject, from view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        shown: JSONObject, _ terms: WriteTerms, _ access: WriteAccess
    ) throws -> [String]

    /// - Throws: `StoreError.stale`, as for `update`.
    func delete(_ object: inout LocalObject, from view: ObjectState, _ terms: WriteTerms) throws

    /// Deletes a damaged object without reading its fields.
    /// - Throws: `error`, if only the remote can tell what the object is.
    func deleteDamaged(
        _ className: String, _ objectId: String, _ access: WriteAccess, orThrow error: any Error) throws
}
