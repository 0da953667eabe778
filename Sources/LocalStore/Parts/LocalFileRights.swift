import GRDB
import ParseModel
import StoreService
import SyncModel

/// Decides which files of a store a client may read.
struct LocalFileRights: FileRights {
    let transactions: Transactions

    func opens(_ file: StoredFile, for principal: Principal) throws -> Bool {
        guard file.remoteURL == nil, !principal.readsEverything else { return true }
        switch transactions.authorship {
        case .none: return true
        // In the directory of a former site replica, new uploads belong to the gateway, and every client may read them.
        case .past:
            return try transactions.read { [nil, .gateway].contains(try FileTable(db: $0).author(of: file.name)) }
        case .each(let author):
            return try transactions.read { try readers(principal, author, in: $0).isAuthor(of: file.name) }
        }
    }

    func shows(_ file: StoredFile, to principal: Principal) throws -> Bool {
        guard try !opens(file, for: principal) else { return true }
        let author = transactions.configuration.author
        return try transactions.read { try readers(principal, author, in: $0).seesObject(with: file.name) }
    }

    private func readers(
        _ principal: Principal, _ author: (Principal) -> SyncAuthor, in db: Database
    ) throws -> FileReaders {
        FileReaders(
            db: db, principal: principal, author: try Authors(db: db).knownKey(of: author(principal)),
            permissions: transactions.access.permissions(in: db).permissions(of:))
    }
}
