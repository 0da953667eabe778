import GRDB
import ParseModel
import StoreService
import SyncModel

/// The writes of local clients, as a kind of store applies them. `LocalWrites` calls the methods. `StandaloneWrites`
/// changes the only copy of an object. `ReplicaWrites` changes the local copy, and queues the change for the remote.
protocol WriteWay: SendableMetatype {
    init(_ transaction: StoreTransaction)

    /// The rules for writes of users and sessions; nil for other classes, and if the remote applies the rules.
    func accounts(for className: String) -> AccountWrites?

    // MARK: Before the write

    /// The `createdAt` and `updatedAt` of a new object.
    /// - Throws: `ParseError` 142 (validation failed) if `updatedAt` is before `createdAt`.
    func times(in body: JSONObject) throws(ParseError) -> (created: ParseDate, updated: ParseDate)

    /// Whether a client may choose the id of a new object, if the settings allow it.
    func acceptsChosenIds() throws -> Bool

    /// Checks that a body sets only fields that clients may write.
    /// - Throws: `ParseError` 105 (invalid field name) for a field that the store writes itself.
    func checkFields(of body: JSONObject, className: String) throws

    /// The schema against which writes are checked; nil if no type of the class is known.
    func schema(of className: String) throws -> ClassSchema?

    /// Adds the fields of a checked write to the schema, if the schema lacks them.
    /// - Returns: the values that the schema adds to the object.
    /// - Throws: `ParseError` 111 (incorrect type) for a second GeoPoint field.
    func addFields(of write: SchemaCheck.Checked, className: String, creates: Bool) throws -> SchemaAdditions

    /// The file to store in a field: without a URL, or with a URL that clients may set.
    func addressing(_ file: FileReference) -> FileReference

    /// The id of the installation that a write of `_Installation` concerns; nil for a new installation.
    /// - Parameters:
    ///   - objectId: the id of the updated installation; nil for a create.
    ///   - named: the `objectId` in the body of an update; nil for none.
    func installation(
        of body: WriteBody, updating objectId: String?, named: String?, _ terms: WriteTerms
    ) throws -> String?

    // MARK: The write

    /// Creates an object.
    /// - Parameters:
    ///   - view: the new object, as clients see it.
    ///   - hasChosenId: whether the client has chosen the id.
    func create(
        _ object: inout LocalObject, _ operations: FieldOperations, making view: ObjectState, hasChosenId: Bool) throws

    /// Updates an object.
    /// - Parameters:
    ///   - view: the object before the update, as clients see it.
    ///   - fields: its fields after the update.
    ///   - shown: its fields after the update, with the relations of the class.
    /// - Returns: the fields that the class's conflict policy left unchanged.
    /// - Throws: `StoreError.stale` if the object has changed since the state on which the write was based, and the store does
    ///   not record that as a conflict.
    func update(
        _ object: inout LocalObject, from view: ObjectState, _ operations: FieldOperations, making fields: JSONObject,
        shown: JSONObject, _ terms: WriteTerms, _ access: WriteAccess
    ) throws -> [String]

    /// Deletes an object.
    /// - Throws: `StoreError.stale`, as for `update`.
    func delete(_ object: inout LocalObject, from view: ObjectState, _ terms: WriteTerms) throws

    /// Deletes a damaged object without reading its fields.
    /// - Throws: `error` in a replica, where the remote has the object.
    func deleteDamaged(
        _ className: String, _ objectId: String, _ access: WriteAccess, orThrow error: any Error) throws
}
