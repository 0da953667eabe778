import ParseModel

/// A file known to the store. Objects refer to it by name.
package struct StoredFile: Sendable, Hashable {
    /// The current name: the remote's name, or the gateway's name until the file is uploaded.
    package let name: String
    /// The remote's URL of the file; nil for a file that is not on a remote.
    package let remoteURL: String?
    /// The digest and size of the content; nil if the content is not stored locally.
    package let content: FileDraft.Content?
    package let contentType: String?

    package init(name: String, remoteURL: String?, content: FileDraft.Content?, contentType: String?) {
        self.name = name
        self.remoteURL = remoteURL
        self.content = content
        self.contentType = contentType
    }
}

/// The functions of a store that the local API needs for files.
package protocol FileStore: Sendable {
    /// Creates an empty draft, to receive the content of a file.
    /// - Throws: `StoreError`, for example `.diskFull`.
    func draft() throws -> FileDraft

    /// Which clients may read which files.
    var rights: any FileRights { get }

    /// Adds a file with the content of a draft. The file and its content are on disk when this returns. The principal is its author.
    func addFile(
        _ draft: FileDraft, name: String, contentType: String, as principal: Principal
    ) async throws -> StoredFile

    /// Finds a file by its current name, or by its local name from before the upload; nil for an unknown name.
    func file(_ name: String, as principal: Principal) throws -> StoredFile?

    /// The path of a file's content; nil if the content is not stored locally. The content may be evicted before it is opened.
    func contentPath(of file: StoredFile) -> String?

    /// Selects those names that belong to a file of this store.
    func servedFiles(among names: [String], as principal: Principal) throws -> Set<String>

    /// Records that a file was read, for the least-recently-used eviction. Records at most one use of a file an hour.
    func noteUse(of file: StoredFile) async throws

    /// Removes a file and its content. References in objects stay.
    /// - Throws: `StoreError.notPossible` if the file is in a pending change and not on the remote yet.
    func deleteFile(_ name: String, as principal: Principal) async throws
}
