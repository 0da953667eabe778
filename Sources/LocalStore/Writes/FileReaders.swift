import GRDB
import ParseModel
import StoreService
import SyncModel

/// Who may read a file that is not on the remote yet: its author, and each client that may read an object with the file. In a site
/// replica only, because each other store has one author.
struct FileReaders {
    let db: Database
    let principal: Principal
    /// The author of the principal's uploads and changes; nil if there are none.
    let author: SyncIdentity?
    /// The permissions of a class, as this connection shows them.
    let permissions: (_ className: String) throws -> JSONObject?

    /// The maximum number of objects to examine for one file.
    private static let holdersMax = 1000

    /// Whether the principal is the user who has uploaded the file. Clients without a session are no authors.
    func isAuthor(of name: String) throws -> Bool {
        guard principal.user != nil, let author else { return false }
        return try FileTable(db: db).author(of: name) == author
    }

    /// Whether the principal may read an object that shows the file. Only objects with pending changes can have such a file.
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

    /// Checks that a write may refer to a file. Otherwise the name of another user's file would give its content.
    /// - Throws: `ParseError` 119 (operation forbidden).
    func checkReference(to file: StoredFile) throws {
        guard file.remoteURL == nil, !principal.writesEverything,
            let author = try FileTable(db: db).author(of: file.name),
            // A client without a session keeps no file from others.
            try Authors(db: db).author(of: author) != .public,
            try !isAuthor(of: file.name), try !seesObject(with: file.name)
        else { return }
        throw ParseError(
            .operationForbidden, "The file \(file.name) of another user is not on the remote yet.")
    }
}

extension StoreTransaction {
    /// Checks that the principal may refer to a file of an author.
    /// - Throws: `ParseError` 119 (operation forbidden).
    func checkReference(to file: StoredFile) throws {
        guard case .each = authorship else { return }
        try FileReaders(
            db: db, principal: principal, author: identity, permissions: access.permissions(in: db).permissions(of:)
        ).checkReference(to: file)
    }
}
