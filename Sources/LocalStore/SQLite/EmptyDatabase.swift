import GRDB
import Synchronization

/// An in-memory database with all tables of the newest version and no data. A new file is created as a copy of this
/// template, because running the migrations takes many times as long.
///
/// In the first new file of a process the migrations run directly, because most processes create only one file and need
/// no template.
final class EmptyDatabase: Sendable {
    static let shared = EmptyDatabase()

    private enum State {
        case unused
        /// The process has created one file. The next new file needs the template.
        case wanted
        case made(DatabaseQueue)
    }

    private let state = Mutex(State.unused)

    /// Creates all tables in a new file, in one transaction.
    /// - Parameter migrate: runs all migrations in a database without tables.
    func fill(_ file: Database, migrate: (Database) throws -> Void) throws {
        let copy = try state.withLock { state -> DatabaseQueue? in
            switch state {
            case .unused:
                state = .wanted
                return nil
            case .wanted:
                let made = try DatabaseQueue()
                try made.writeWithoutTransaction(migrate)
                state = .made(made)
                return made
            case .made(let made): return made
            }
        }
        guard let copy else { return try migrate(file) }
        try copy.unsafeRead { try $0.backup(to: file) }
    }
}
