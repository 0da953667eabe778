import GRDB
import ParseModel
import StoreService

/// Records which files of a single user's store have their contents in the directory of the gateway's own store.
struct LocalSharedFiles: SharedFileStore {
    let transactions: Transactions

    func share(_ name: String, at url: String) async throws -> StoredFile? {
        try await transactions.write { transaction in
            let table = FileTable(db: transaction.db)
            if let known = try table.file(name) {
                guard let place = known.remoteURL, Self.withoutQuery(place) == Self.withoutQuery(url) else {
                    return nil
                }
            }
            try table.note(name, at: url, now: transaction.now)
            return try table.file(name)
        }
    }

    func noteContent(_ content: FileDraft.Content, of name: String, contentType: String?) async throws {
        try await transactions.write {
            try FileTable(db: $0.db).setContent(content, of: name, contentType: contentType, now: $0.now)
        }
    }

    /// The URL without its query, because signed URLs of one file differ only in their query.
    private static func withoutQuery(_ url: String) -> Substring { url.prefix { $0 != "?" } }
}
