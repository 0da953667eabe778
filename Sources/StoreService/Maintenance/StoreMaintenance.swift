/// Periodic maintenance of a store.
package protocol StoreMaintenance: Sendable {
    /// Checks the store for damage. Queries skip damaged objects afterwards. In a replica, the audit of the next sync reads
    /// damaged objects without pending changes from the remote again.
    /// - Parameter isGentle: whether the check limits its load, with a pause after each slice that is three times as
    ///   long as the slice.
    /// - Throws: `StoreError`, and `CancellationError` if the task is cancelled.
    func checkFile(isGentle: Bool) async throws -> FileFindings

    /// Makes the known damaged objects writable again. A replica reads those without pending changes from the remote again. It
    /// rebuilds the others from their last known state and their pending changes.
    func mendDamage() async throws

    /// Creates indexes that queries have often lacked, and drops indexes that have not been used for a long time. Writes wait
    /// while an index is created.
    /// - Returns: the created and dropped indexes, in the form `class field`.
    func tendIndexes() async throws -> (made: [String], dropped: [String])

    /// Removes orphaned files: no object, change or conflict refers to them, and they were created or last referred to
    /// longer than `grace` ago.
    /// - Returns: the number of removed files.
    func collectFiles(grace: Duration) async throws -> Int

    /// Removes contents older than `grace` that belong to no file. Such contents remain if the process ends during an
    /// upload or a deletion.
    func removeLooseContents(grace: Duration) async throws

    /// Interrupts running queries with an error, before the store closes.
    func interruptReads()
}
