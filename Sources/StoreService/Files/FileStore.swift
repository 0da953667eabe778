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
    /// What the client has said about the upload: the JSON text of an object; nil for nothing.
    package let details: String?

    package init(
        name: String, remoteURL: String?, content: FileDraft.Content?, contentType: String?, details: String? = nil
    ) {
        self.details = details
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
    /// - Parameter details: the JSON text of an object, which `StoredFile.details` then has; nil for none.
    func addFile(
        _ draft: FileDraft, name: String, contentType: String, details: String?, as principal: Principal
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

extension FileStore {
    /// Adds a file without details.
    package func addFile(
        _ draft: FileDraft, name: String, contentType: String, as principal: Principal
    ) async throws -> StoredFile {
        try await addFile(draft, name: name, contentType: contentType, details: nil, as: principal)
    }
}

/// The rights of clients to files. The name of a file on the remote is the right to read it, as at a Parse Server. In a site replica,
/// a file that is not on the remote yet is for its author and for the readers of the objects with the file.
package protocol FileRights: Sendable {
    /// Whether a principal may read the content of a file by the name alone. In a site replica, only the author and the master key may
    /// read a file by its name that is not on the remote yet.
    func opens(_ file: StoredFile, for principal: Principal) throws -> Bool

    /// Whether a principal may read the content of a file: `opens`, or a signed address lets the principal read it because an object
    /// that the principal may read has the file.
    func shows(_ file: StoredFile, to principal: Principal) throws -> Bool
}

/// The files of the remote whose contents the gateway keeps once for all its users.
package protocol SharedFileStore: Sendable {
    /// Adds a file of the remote to the gateway's own store, or updates its URL.
    /// - Returns: the file; nil if the name belongs to a file at another place, or to one that is not on the remote.
    func share(_ name: String, at url: String) async throws -> StoredFile?

    /// Notes in the store of a user's space that the gateway's own store has the content of a file.
    func noteContent(_ content: FileDraft.Content, of name: String, contentType: String?) async throws
}
