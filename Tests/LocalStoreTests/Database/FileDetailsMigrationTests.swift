import GRDB
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// Migrates a database of the version before uploaded files had details, such as tags.
@Suite("Migration of a database without details of uploads")
struct FileDetailsMigrationTests {
    private static let versionBefore = 33

    private static func makeFile(in directory: TemporaryDirectory) throws {
        let data = try DataDirectory(path: directory.path)
        try data.makeDatabaseFile()
        try DatabaseQueue(path: data.databasePath).writeWithoutTransaction { db in
            try Migrations.run(in: db, through: versionBefore)
            _ = try StoreIdentity.standalone.claim(
                db, in: data, takesOver: false, environment: TestClock().environment)
            try db.execute(
                sql: """
                    INSERT INTO files (name, content_type, made_at, used_at) VALUES ('a.txt', 'text/plain', 1000, 1000)
                    """)
        }
    }

    @Test func theMigrationKeepsFilesAndNewFilesHaveDetails() async throws {
        let directory = try TemporaryDirectory()
        try Self.makeFile(in: directory)
        let store = try LocalStore.make(.standalone, in: directory)
        let known = try #require(try store.file("a.txt"))
        #expect(known.contentType == "text/plain" && known.details == nil)
        _ = try await store.objects.files.addFile(
            try store.draft("meow"), name: "b.txt", contentType: "text/plain", details: #"{"tags":{"n":1}}"#,
            as: .master)
        #expect(try store.file("b.txt")?.details == #"{"tags":{"n":1}}"#)
        withExtendedLifetime(directory) {}
    }
}
