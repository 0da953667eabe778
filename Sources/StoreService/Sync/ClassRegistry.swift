import ParseModel
import SyncModel

/// The classes that a replica syncs, and their options.
package protocol ClassRegistry: Sendable {
    /// Pulls the class from now on: whole, unless it has pulls already.
    /// - Parameters:
    ///   - files: the files to download of a class without pulls.
    ///   - opField: the field for operation ids, for a class without one.
    func registerClass(_ name: String, files: FileDownloads, opField: String?) async throws

    /// Changes how a class is synced. A pull with a changed `where` or changed keys begins anew.
    /// - Throws: `ParseError` 107 or 108 for an invalid class name, and the errors of `change`.
    func configureClass(
        _ name: String, _ change: @escaping @Sendable (inout ClassOptions, inout [NamedPull]) throws -> Void
    ) async throws

    /// Ends the sync of a class.
    /// - Parameters:
    ///   - purge: also drops its objects from the store. The remote keeps them.
    ///   - force: also drops changes that are not on the remote.
    /// - Throws: `StoreError.notPossible` for a class with such changes, without `force`.
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws

    /// Drops objects of a class from the store. The remote keeps them, and the next pull or audit of a pull that covers them
    /// brings them back.
    /// - Parameters:
    ///   - query: its `where` selects the objects; nil for all objects, whose pulls then begin anew.
    ///   - force: also drops objects with changes that are not on the remote.
    /// - Returns: the number of dropped objects.
    /// - Throws: `StoreError.notPossible` for objects with such changes, without `force`.
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int

    /// Replaces the known schemas of the remote. Writes are checked by them.
    func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws
}
