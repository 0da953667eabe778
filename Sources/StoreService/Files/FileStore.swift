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
    /// Attributes that the client sent with the upload, as the JSON text of an object; nil for none.
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

    /// Decides which clients may read which files.
    var rights: any FileRights { get }

    /// Adds a file with the content of a draft, uploaded by the principal. The file and its content are on disk when
    /// this returns.
    /// - Parameter details: the JSON text of an object, which `StoredFile.details` then has; nil for none.
    func addFile(
        _ draft: FileDraft, name: String, contentType: String, details: String?, as principal: Principal
    ) async throws -> StoredFile

    /// Finds a file by its current name, or by its local name from before the upload; nil for an unknown name.
    func file(_ name: String, as principal: Principal) throws -> StoredFile?

    /// The path of a file's content; nil if the content is not stored locally. The file at the path can be evicted
    /// before the caller opens it.
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

/// Decides which clients may read the content of a file. On a Parse Server, and here for a file that is on the remote,
/// every client that knows the file's name may read it. In a site replica (a replica for several users), a file that is
/// not on the remote yet may be read only by its author and by the readers of an object with the file.
package protocol FileRights: Sendable {
    /// Whether a principal may read the content of a file by the name alone. In a site replica, a file
    /// that is not on the remote yet can be read in this way only by its author and with the master key.
    func opens(_ file: StoredFile, for principal: Principal) throws -> Bool

    /// Whether a principal may read the content of a file: if `opens` is true, or if the principal may read an object
    /// that contains the file. In the second case the gateway gives the principal a signed URL.
    func shows(_ file: StoredFile, to principal: Principal) throws -> Bool
}

/// Shares the contents of the remote's files among the users of a gateway, so that each content is stored once.
package protocol SharedFileStore: Sendable {
    /// Adds a file of the remote to the gateway's own store, or updates its URL.
    /// - Returns: the file; nil if the name already belongs to a file with another URL, or to a file that is not on the
    ///   remote.
    func share(_ name: String, at url: String) async throws -> StoredFile?

    /// Records in the store of one user that the gateway's own store has the content of a file.
    func noteContent(_ content: FileDraft.Content, of name: String, contentType: String?) async throws
}
