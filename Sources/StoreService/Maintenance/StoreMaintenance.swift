/// Regular work on a store, besides requests and syncs.
package protocol StoreMaintenance: Sendable {
    /// Checks the file for damage. Lists leave out damaged objects from then on. In a replica the next audit reads damaged
    /// objects without pending changes again from the remote.
    /// - Parameter isGentle: whether the check pauses after each slice, for three times the duration of the slice.
    /// - Throws: `StoreError`, and `CancellationError` in a cancelled task.
    func checkFile(isGentle: Bool) async throws -> FileFindings

    /// Makes known damaged objects writable again.
    func mendDamage() async throws

    /// Creates the indexes with many misses, and drops indexes that have long been unused. Writes wait while an index is created.
    /// - Returns: the created and dropped indexes, as `class field`.
    func tendIndexes() async throws -> (made: [String], dropped: [String])

    /// Removes files without a reference in any object, change or conflict that were added or last used longer than `grace` ago.
    /// - Returns: the number of removed files.
    func collectFiles(grace: Duration) async throws -> Int

    /// Removes contents older than `grace` that belong to no file, which an interrupted process may leave.
    func removeLooseContents(grace: Duration) async throws

    /// Ends running queries with an error, before the store closes.
    func interruptReads()
}
