/// The files of the remote whose contents the gateway keeps once for all its users.
package protocol SharedFileStore: Sendable {
    /// Adds a file of the remote to the gateway's own store, or updates its URL.
    /// - Returns: the file; nil if the name belongs to a file at another place, or to one that is not on the remote.
    func share(_ name: String, at url: String) async throws -> StoredFile?

    /// Notes in the store of a user's space that the gateway's own store has the content of a file.
    func noteContent(_ content: FileDraft.Content, of name: String, contentType: String?) async throws
}
