import GRDB
import ParseModel
import StoreService
import SyncModel

/// Decides who may read a file that is not on the remote yet: its author, and each client that may read an object with
/// the file. Used where uploads have authors: in a site replica, which serves several users, and in the directory of a
/// former one.
struct FileReaders {
    let db: Database
    let principal: Principal
    /// The author of the principal's own uploads and changes; nil if the principal has none.
    let author: AuthorKey?
    /// Reads the permissions of a class on this connection.
    let permissions: (_ className: String) throws -> JSONObject?

    /// The maximum number of objects to examine for one file.
    private static let holdersMax = 1000

    /// Whether the principal is the user who uploaded the file. False for a client without a session.
    func isAuthor(of name: String) throws -> Bool {
        guard principal.user != nil, let author else { return false }
        return try FileTable(db: db).author(of: name) == author
    }

    /// Whether the principal may read an object that contains the file, and its field with the file. Only objects with
    /// pending changes can contain such a file.
    func seesObject(with name: String) throws -> Bool {
        try FileTable(db: db).holders(of: name).prefix(Self.holdersMax).contains { try shows($0, name) }
    }

    private func shows(_ holder: Pointer, _ name: String) throws -> Bool {
        let object: LocalObject?
        do { object = try LocalObject(holder.className, holder.objectId, in: db) } catch StoreError.damaged {
            return false
        }
        guard let view = object?.life.view, let rights = object?.life.rightsState else { return false }
        let rules = AccessRules(
            principal, ClassRights(holder.className, permissions: try permissions(holder.className)))
        guard AccessControlList(rights.fields["ACL"])?.allowsReading(by: principal) != false,
            [.get, .list].contains(where: { allows($0, holder, rights, rules) })
        else { return false }
        let hidden = rules.hiddenFields(in: holder.objectId) { rights.fields }
        return view.fields.contains { field, value in
            !hidden.contains(field) && value.files.contains { $0.name == name }
        }
    }

    private func allows(
        _ operation: AccessRules.Operation, _ holder: Pointer, _ rights: ObjectState, _ rules: AccessRules
    ) -> Bool {
        switch rules.verdict(on: operation, holder.objectId) {
        case .allowed: true
        case .refused: false
        case .limited(let limit): limit.holdsForPointers(rights.fields, of: holder.className)
        }
    }

    /// Checks that a write may refer to a file. Otherwise a user could read the upload of another user by writing its name into
    /// an object.
    /// - Throws: `ParseError` 119 (operation forbidden).
    func checkReference(to file: StoredFile) throws {
        guard file.remoteURL == nil, !principal.writesEverything,
            let author = try FileTable(db: db).author(of: file.name),
            // Uploads of clients without a session are open to all clients.
            try Authors(db: db).author(of: author) != .public,
            try !isAuthor(of: file.name), try !seesObject(with: file.name)
        else { return }
        throw ParseError(
            .operationForbidden, "The file \(file.name) of another user is not on the remote yet.")
    }
}

extension StoreTransaction {
    /// Checks in a site replica that the principal may refer to a file in a write.
    /// - Throws: `ParseError` 119 (operation forbidden).
    func checkReference(to file: StoredFile) throws {
        guard case .each = authorship else { return }
        try FileReaders(
            db: db, principal: principal, author: author, permissions: access.permissions(in: db).permissions(of:)
        ).checkReference(to: file)
    }
}
