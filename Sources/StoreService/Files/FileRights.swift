import ParseModel

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
