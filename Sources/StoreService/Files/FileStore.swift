import ParseModel

/// A file known to the store. Objects refer to it by name.
package struct StoredFile: Sendable, Hashable {
    /// The present name: the gateway's own until the remote has assigned one.
    package let name: String
    /// The remote's URL of the file; nil for a file that is not on a remote.
    package let remoteURL: String?
    /// The stored content; nil if it is not stored locally.
    package let content: FileDraft.Content?
    package let contentType: String?

    package init(name: String, remoteURL: String?, content: FileDraft.Content?, contentType: String?) {
        self.name = name
        self.remoteURL = remoteURL
        self.content = content
        self.contentType = contentType
    }
}

/// The files of a store, as the local API uses them.
package protocol FileStore: Sendable {
    /// An empty draft for a content to receive.
    /// - Throws: `StoreError`, such as `.diskFull`.
    func draft() throws -> FileDraft

    /// Adds a file with the draft's content. The file is on disk when this returns.
    func addFile(
        _ draft: FileDraft, name: String, contentType: String, as principal: Principal
    ) async throws -> StoredFile

    /// A file by its present name, or by a name that the remote has replaced.
    func file(_ name: String, as principal: Principal) throws -> StoredFile?

    /// The path of a file's content; nil if it is not stored locally. The content may be evicted before the path is opened.
    func contentPath(of file: StoredFile) -> String?

    /// Filters the names to files that this gateway serves.
    func servedFiles(among names: [String], as principal: Principal) throws -> Set<String>

    /// Records that a file was read, with a precision of one hour. The least recently used contents are evicted first.
    func noteUse(of file: StoredFile) async throws

    /// Removes a file and its content. Objects that refer to it are unchanged.
    /// - Throws: `StoreError.notPossible` for a file of a pending change.
    func deleteFile(_ name: String, as principal: Principal) async throws
}
