/// Periodic maintenance of a store.
package protocol StoreMaintenance: Sendable {
    /// Whether the store has never had an object, a file or a schema, so that the gateway can still get another remote.
    func isUntouched() async throws -> Bool

    /// Checks the store for damage. Later queries skip the damaged objects. Then does the same as `mendDamage`.
    /// - Parameter isGentle: whether the check pauses after each slice of the file, for three times the duration of the slice.
    /// - Throws: `StoreError`, and `CancellationError` if the task is cancelled.
    func checkFile(isGentle: Bool) async throws -> FileFindings

    /// Repairs the known damaged objects, so that they can be written again. In a replica, the next audit (a comparison
    /// of all objects with the remote) fetches a damaged object without pending changes. A damaged object with pending
    /// changes is rebuilt from the last known remote state and these changes.
    func mendDamage() async throws

    /// Creates indexes for frequent queries without one, and drops indexes that have not been used for a long time.
    /// Writes wait while an index is created.
    /// - Returns: the created and dropped indexes, in the form `class field`.
    func tendIndexes() async throws -> (made: [String], dropped: [String])

    /// Frees the memory of cached objects that were not read since the previous call.
    func dropUnusedObjects()

    /// Removes orphaned files, which are in no object, change or conflict. A file that was added or used within the
    /// last `grace` stays.
    /// - Returns: the number of removed files.
    func collectFiles(grace: Duration) async throws -> Int

    /// Removes contents in the directory of contents that belong to no file and are older than `grace`. Removes nothing
    /// while the store itself is younger than `grace`.
    func removeLooseContents(grace: Duration) async throws

    /// The rights in the file that this version enforces and an earlier version ignored. They are returned once.
    /// - Returns: nil if there are none, or if they were returned before.
    func takeNewRights() async throws -> EffectiveRights?

    /// Interrupts running queries with an error, before the store closes.
    func interruptReads()
}
