import ParseModel
import SyncModel

/// The classes that a replica syncs, and their options.
package protocol ClassRegistry: Sendable {
    /// Starts to pull the whole class, unless it has pulls already.
    /// - Parameters:
    ///   - files: the files to download, for a class without pulls.
    ///   - opField: the field for operation ids, for a class without one.
    func registerClass(_ name: String, files: FileDownloads, opField: String?) async throws

    /// Changes how a class is synced. A pull with a changed `where` or changed keys starts from the beginning.
    /// - Throws: `ParseError` 107 or 108 for an invalid class name, and the errors of `change`.
    func configureClass(
        _ name: String, _ change: @escaping @Sendable (inout ClassOptions, inout [NamedPull]) throws -> Void
    ) async throws

    /// Ends the syncs of a class.
    /// - Parameters:
    ///   - purge: whether to drop its objects from the store too. The remote keeps them.
    ///   - force: whether to drop changes that are not on the remote.
    /// - Throws: `StoreError.notPossible` if there are such changes, and `force` is false.
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws

    /// Drops objects of a class from the store. The remote keeps them. Objects that belong to a pull come back with its next run or audit.
    /// - Parameters:
    ///   - query: selects the objects by its `where`; nil for all objects, whose pulls then start from the beginning.
    ///   - force: whether to drop objects with changes that are not on the remote.
    /// - Returns: the number of dropped objects.
    /// - Throws: `StoreError.notPossible` if there are such changes, and `force` is false.
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int

    /// Replaces the known schemas of the remote. Local writes are checked against them.
    func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws
}
