import GRDB
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// Migrates a standalone database of the version before users had passwords.
struct AccountMigrationTests {
    private static let versionBefore = 20

    private static func row(_ className: String, _ id: String, _ fields: String) -> String {
        let date = #""createdAt":"1970-01-01T00:00:01.000Z","updatedAt":"1970-01-01T00:00:01.000Z""#
        return "INSERT INTO objects (class, id, view, created_at, updated_at, base_kind) "
            + "VALUES ('\(className)', '\(id)', '{\"objectId\":\"\(id)\",\(date),\(fields)}', 1000, 1000, 0);"
    }

    private static let rows =
        row("_User", "u1", #""username":"Ada","email":"Ada@example.org""#) + row("_User", "u2", #""username":"ada""#)
        + row("_User", "u3", #""username":5"#) + row("_User", "u5", #""username":"Ödön""#)
        + row("_User", "u6", #""username":"ödön""#) + row("_Session", "s1", #""sessionToken":"r:1","device":"x""#)
        + "INSERT INTO objects (class, id, view, created_at, updated_at, base_kind) VALUES ('_User', 'u4', '{', 1, 1, 0);"
        + "INSERT INTO class_counts VALUES ('_User', 0, 6), ('_Session', 0, 1);"

    private func store() throws -> LocalStore {
        let directory = try TemporaryDirectory()
        try Self.makeFile(in: directory)
        return try LocalStore.make(.standalone, in: directory)
    }

    private static func makeFile(in directory: TemporaryDirectory) throws {
        let data = try DataDirectory(path: directory.path)
        try data.makeDatabaseFile()
        try DatabaseQueue(path: data.databasePath).writeWithoutTransaction { db in
            try Migrations.run(in: db, through: versionBefore)
            _ = try StoreIdentity(remote: nil).claim(
                db, in: data, takesOver: false, environment: TestClock().environment)
            try db.execute(sql: rows)
        }
    }

    @Test func migratedUsersKeepTheirNamesAndHaveNoPassword() async throws {
        let store = try store()
        let ada = try #require(try store.accounts.accounts(named: .either("Ada")).first)
        #expect(ada.userId == "u1" && ada.hash == nil)
        #expect(try store.accounts.accounts(named: .email("Ada@example.org")).map(\.userId) == ["u1"])
        #expect(try store.accounts.accounts(named: .either("ada")).map(\.userId) == ["u2"])
        // Equal names stay, and a further one is refused.
        let refused = await store.perform(
            [.create(className: "_User", body: ["username": "ADA"])], atomically: false)[0]
        #expect(throws: ParseError.usernameTaken) { try refused.get() }
        // A user with an equal name can change other fields.
        try await store.update("u2", ["city": "x"], of: "_User")
    }

    @Test func theMigrationReportsUsersWithoutPasswordsAndEqualNames() throws {
        let directory = try TemporaryDirectory()
        try Self.makeFile(in: directory)
        let expected = AccountFindings(
            withoutPassword: 5, namesWithoutPassword: ["5", "ada", "ada", "ödön", "ödön"], duplicates: ["ada", "ödön"])
        // The same before the migration, as `tidegate doctor` reads the file, and after it.
        #expect(try LocalStoreKind().accountFindings(in: directory.path) == expected)
        let findings = try LocalStore.make(.standalone, in: directory).accounts.findings()
        #expect(findings == expected)
        #expect(try LocalStoreKind().accountFindings(in: directory.path) == expected)
        #expect(findings.lines.count == 2)
        #expect(findings.lines[0].contains("(5, ada, ada, ödön, ödön)"))
    }

    @Test func theMigrationFoldsNamesWithLettersBeyondASCII() async throws {
        let store = try store()
        let refused = await store.perform([.create(className: "_User", body: ["username": "ÖDÖN"])], atomically: false)
        #expect(throws: ParseError.usernameTaken) { try refused[0].get() }
    }

    /// Each step of the migration is one transaction, so a process that ends leaves the database between two steps.
    @Test(arguments: versionBefore...Migrations.newest)
    func anInterruptedMigrationOfAccountsContinues(after step: Int) throws {
        let migrated = try Self.contents(migratedThrough: [Migrations.newest])
        #expect(migrated.contains { $0.contains("user_version:\(Migrations.newest)") })
        #expect(try Self.contents(migratedThrough: [step, Migrations.newest]) == migrated)
        #expect(try Self.contents(migratedThrough: [step, Migrations.newest, Migrations.newest]) == migrated)
    }

    /// The schema and all rows of a file whose migration went on in each of several processes.
    private static func contents(migratedThrough ends: [Int]) throws -> [String] {
        let directory = try TemporaryDirectory()
        try makeFile(in: directory)
        let path = try DataDirectory(path: directory.path).databasePath
        for end in ends {
            try DatabaseQueue(path: path).writeWithoutTransaction { try Migrations.run(in: $0, through: end) }
        }
        return try DatabaseQueue(path: path).read { db in
            let tables = try db.texts(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'meta' ORDER BY name")
            let selections =
                ["SELECT sql FROM sqlite_schema ORDER BY name", "PRAGMA user_version"]
                + tables.map { "SELECT '\($0)', * FROM \"\($0)\" ORDER BY 2, 3" }
            return try selections.flatMap { try Row.fetchAll(db, sql: $0).map(\.description) }
        }
    }

    @Test func migratedSessionsKeepNoClearTokens() throws {
        let store = try store()
        let session = try #require(try store.object("_Session", "s1")).fields(of: "_Session")
        #expect(session["device"] == "x" && session["sessionToken"] == nil)
        #expect(try store.accounts.session(of: "r:1") == nil)
    }
}
