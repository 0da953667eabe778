import GRDB
import StoreService

/// The schema of the file, as a list of migrations. The pragma `user_version` holds the number of migrations that have run.
enum Migrations {
    static var newest: Int { steps.count }

    /// Whether the file is new and empty.
    /// - Throws: `StoreError.newerFile` for a file of a newer version, `StoreError.foreignFile` for the file of another program.
    static func isNew(_ db: Database, path: String) throws -> Bool {
        let version = try version(of: db)
        guard version <= newest else { throw StoreError.newerFile(version: version, supported: newest) }
        let tables = try Set(db.texts("SELECT name FROM sqlite_schema WHERE type = 'table'"))
        let isOurs = version == 0 ? tables.isEmpty : version > 0 && tables.isSuperset(of: ["meta", "objects"])
        guard isOurs else {
            throw StoreError.foreignFile(
                path: path,
                reason: "user_version \(version), \(tables.isEmpty ? "no tables" : "tables of another program")")
        }
        return version == 0
    }

    /// Whether all migrations have run.
    static func isComplete(_ db: Database) throws -> Bool { try version(of: db) == newest }

    private static func version(of db: Database) throws -> Int { try db.count("PRAGMA user_version") }

    /// Runs the migrations that have not run yet: each in a transaction of its own, or all in one transaction for a new file.
    /// - Parameter last: the number of the last migration to run.
    /// - Precondition: `isNew` has accepted the file.
    static func run(in db: Database, through last: Int = newest) throws {
        let version = try version(of: db)
        register(in: db)
        let due = Array(steps.prefix(last).enumerated().dropFirst(version))
        if version == 0 { return try run(due, in: db) }
        for step in due { try run([step], in: db) }
    }

    /// Creates all tables in a new file.
    static func begin(_ file: Database) throws {
        register(in: file)
        try EmptyDatabase.shared.fill(file) { try run(in: $0) }
    }

    private static func register(in db: Database) {
        ACLFunction.register(in: db)
        FoldedNames.register(in: db)
        StoredValueMigration.register(in: db)
    }

    private static func run(_ steps: [(offset: Int, element: String)], in db: Database) throws {
        try db.inTransaction(.immediate) {
            for (index, step) in steps {
                try db.execute(sql: step)
                try db.execute(sql: "PRAGMA user_version = \(index + 1)")
            }
            return .commit
        }
    }

    private static let steps = [
        first, latestAttempt, firstPull, namedPulls, relations, marks, statusCounts, unanswered, schemas,
        files, counts, aliasesById, countsWithoutTriggers, pullStates, pullLimits, questions, lostObjects, requestIds,
        ownMarks, identities, AccountMigration.sql, SpecialIndexes.migration, AccessMigration.sql,
        AccountMigration.foldedNames, PeopleMigration.sql, PeopleMigration.logIns,
        fileAuthors, indexOfLocalFiles, deletionsSince, StoredValueMigration.sql,
        withheld, withheldIndex, ContentMark.migration, fileDetails, LiveMigration.sql,
    ]
}
