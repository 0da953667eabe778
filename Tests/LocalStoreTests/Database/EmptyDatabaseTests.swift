import GRDB
import Testing

@testable import LocalStore

/// New database files that are copies of an empty, migrated database.
@Suite("Empty databases")
struct EmptyDatabaseTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func newFile(_ name: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        return try DatabaseQueue(path: directory.root + "/" + name, configuration: configuration)
    }

    /// The SQL of all tables and indexes, the rows of all tables, and the properties of the file.
    private func content(_ queue: DatabaseQueue) throws -> [String] {
        try queue.read { db in
            var found = try String.fetchAll(db, sql: "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")
            for table in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
            {
                found += try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").filter { !$0.hasColumn("rootpage") }
                    .map {
                        "\(table) \($0)"
                    }
            }
            for name in ["user_version", "page_size", "auto_vacuum", "encoding", "application_id", "journal_mode"] {
                found.append("\(name) \(try String.fetchOne(db, sql: "PRAGMA \(name)") ?? "")")
            }
            return found
        }
    }

    @Test func aCopiedEmptyDatabaseEqualsAMigratedOne() throws {
        let migrated = try newFile("migrated")
        try migrated.writeWithoutTransaction { try Migrations.run(in: $0) }
        let expected = try content(migrated)
        #expect(expected.contains("user_version \(Migrations.newest)") && expected.contains("journal_mode wal"))
        let empty = EmptyDatabase()
        var migrations = 0
        for name in ["first", "second", "third", "fourth"] {
            let file = try newFile(name)
            try file.writeWithoutTransaction { db in
                try empty.fill(db) {
                    migrations += 1
                    try Migrations.run(in: $0)
                }
            }
            #expect(try content(file) == expected)
            #expect(try file.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        }
        // The migrations ran only for the first file and for the database in memory that the others copy.
        #expect(migrations == 2)
    }

    /// After a failed migration, the next file is migrated from the beginning.
    @Test func aFailedMigrationLeavesTheFileEmpty() throws {
        struct Failure: Error {}
        let empty = EmptyDatabase()
        for name in ["first", "second"] {
            let file = try newFile(name)
            #expect(throws: Failure.self) {
                try file.writeWithoutTransaction { try empty.fill($0) { _ in throw Failure() } }
            }
            #expect(try file.read { try Migrations.isNew($0, path: name) })
        }
        let file = try newFile("third")
        try file.writeWithoutTransaction { try empty.fill($0) { try Migrations.run(in: $0) } }
        #expect(try file.read { try Migrations.isComplete($0) })
    }
}
