import GRDB
import ParseModel
import StoreService

/// The rights of clients to the files of a store.
struct LocalFileRights: FileRights {
    let store: LocalStore

    func opens(_ file: StoredFile, for principal: Principal) throws -> Bool {
        let configuration = store.configuration
        guard configuration.settings.keepsAuthors, file.remoteURL == nil, !principal.readsEverything else {
            return true
        }
        return try store.read { db in
            // In a directory that was a site's, files since then have no author.
            guard configuration.isSite else {
                return [nil, .gateway].contains(try FileTable(db: db).author(of: file.name))
            }
            return try readers(principal, in: db).isAuthor(of: file.name)
        }
    }

    func shows(_ file: StoredFile, to principal: Principal) throws -> Bool {
        guard try !opens(file, for: principal) else { return true }
        return try store.read { try readers(principal, in: $0).seesObject(with: file.name) }
    }

    private func readers(_ principal: Principal, in db: Database) throws -> FileReaders {
        FileReaders(
            db: db, principal: principal,
            author: try Authors(db: db).knownIdentity(of: store.configuration.author(principal)),
            permissions: store.access.permissions(in: db).permissions(of:))
    }
}
