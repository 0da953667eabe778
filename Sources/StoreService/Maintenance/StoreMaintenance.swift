/// Regular work on a store, besides requests and syncs.
package protocol StoreMaintenance: Sendable {
    /// Looks for damage. Lists skip damaged objects from then on. In a replica the next sync's audit reads damaged objects
    /// without pending changes from the remote again.
    /// - Parameter isGentle: whether the check pauses after each slice for three times as long as the slice took.
    /// - Throws: `StoreError`, and `CancellationError` in a cancelled task.
    func checkFile(isGentle: Bool) async throws -> FileFindings

    /// Makes known damaged objects writable again.
    func mendDamage() async throws

    /// Creates the indexes that queries have missed often, and drops those that no query has used for long. Writes wait for
    /// an index in creation.
    /// - Returns: the created and dropped indexes, as `class field`.
    func tendIndexes() async throws -> (made: [String], dropped: [String])

    /// Removes files that no object, change or conflict refers to, and that were made or last carried longer than `grace` ago.
    /// - Returns: the number of removed files.
    func collectFiles(grace: Duration) async throws -> Int

    /// Removes contents older than `grace` that belong to no file. A process that ends between two steps leaves such contents.
    func removeLooseContents(grace: Duration) async throws

    /// Ends running queries with an error, before the store closes.
    func interruptReads()
}
