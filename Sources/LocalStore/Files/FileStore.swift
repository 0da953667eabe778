import ParseModel

/// What is known of a file. Objects carry its name.
package struct StoredFile: Sendable, Hashable {
    /// As objects carry it now: the gateway's own until the remote has given one.
    package let name: String
    /// Where the remote has it; nil where it does not, or there is no remote.
    package let remoteURL: String?
    /// Of the content, where that is here: 64 hexadecimal digits, and bytes.
    package let content: FileDraft.Content?
    package let contentType: String?
}

/// What the local API needs of a store for files: contents as streams, and what is known of them by name.
package protocol FileStore: Sendable {
    /// - Throws: `StoreError`, among others `.diskFull`.
    func draft() throws -> FileDraft

    /// A new file with the draft's content. It is on disk when this returns.
    func addFile(_ draft: FileDraft, name: String, contentType: String) async throws -> StoredFile

    /// A content that the remote has sent for a file which is known already.
    func keepContent(_ draft: FileDraft, of name: String, contentType: String?) async throws -> StoredFile

    /// By its name, or by the one that it had before the remote gave it another.
    func file(_ name: String) throws -> StoredFile?

    /// Where the content lies; it may be gone by the time it is opened. Nil where it is not here.
    func contentPath(of file: StoredFile) -> String?

    /// The names among these under which a local client gets a content from here.
    func servedFiles(among names: [String]) throws -> Set<String>

    /// Notes, now and then, that somebody reads it: what nobody reads goes first where room is needed.
    func noteUse(of file: StoredFile) async throws

    /// Forgets a file and its content. Objects that carry its name keep it.
    /// - Throws: `StoreError.notPossible` where a change that carries it waits to be sent.
    func deleteFile(_ name: String) async throws
}
