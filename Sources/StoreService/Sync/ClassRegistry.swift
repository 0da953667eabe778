import ParseModel
import SyncModel

/// Registers the classes that a replica syncs, and sets their options.
package protocol ClassRegistry: Sendable {
    /// Registers a class to be pulled. A class without pulls gets the default pull, which reads the whole class.
    /// - Parameters:
    ///   - files: which files of the class are downloaded. Ignored if the class already has pulls or file options.
    ///   - opField: the field in which requests leave their operation ids. Ignored if the class already has one.
    func registerClass(_ name: String, files: FileDownloads, opField: String?) async throws

    /// Changes the options and pulls of a class. A pull with a changed `where` or changed keys starts over. If `deletedField`,
    /// `opField` or the mapping changes, all pulls of the class may start over. The schema of the class gets the types
    /// that the mapping declares.
    /// - Throws: `ParseError` 107 or 108 for an invalid class name, 111 for a new `opField` that holds values other than arrays
    ///   and for a declared type that contradicts the schema, and the errors of `change`.
    func configureClass(
        _ name: String, _ change: @escaping @Sendable (inout ClassOptions, inout [NamedPull]) throws -> Void
    ) async throws

    /// Stops syncing a class.
    /// - Parameters:
    ///   - purge: also drops the objects of the class from the store. The remote keeps these objects.
    ///   - force: also drops changes that the remote does not have.
    /// - Throws: `StoreError.notFound` for an unknown class. Without `force`, `StoreError.notPossible` if the class has changes
    ///   that the remote does not have.
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws

    /// Drops objects of a class from the store. The remote keeps them. The next pull or audit (comparison with the
    /// remote) brings back objects that still belong to a pull.
    /// - Parameters:
    ///   - query: its `where` selects the objects. Nil selects all objects; the pulls of the class then start over.
    ///   - force: also drops objects with changes that the remote does not have.
    /// - Returns: the number of dropped objects.
    /// - Throws: without `force`, `StoreError.notPossible` if an object has changes that the remote does not have.
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int

    /// Replaces the stored schemas of the remote. Local writes are validated against them.
    func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws

    /// The stored schemas of the remote's classes.
    func remoteSchemas() throws -> Set<ClassSchema>
}
