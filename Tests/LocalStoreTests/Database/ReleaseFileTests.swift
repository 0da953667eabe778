import Foundation
import GRDB
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Opens the files that each release has made, from `Fixtures`. `Fixtures/make-release-files` makes the files of a new release.
struct ReleaseFileTests {
    private static let releases = ["0.2.0"]

    /// Makes a data directory with the file of a release.
    private static func directory(_ release: String, _ kind: String) throws -> TemporaryDirectory {
        let name = "\(release)-\(kind)"
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "sql", subdirectory: "Fixtures"))
        let directory = try TemporaryDirectory()
        let data = try DataDirectory(path: directory.path)
        try data.makeDatabaseFile()
        let sql = try String(contentsOf: url, encoding: .utf8)
        try DatabaseQueue(path: data.databasePath).writeWithoutTransaction { try $0.execute(sql: sql) }
        return directory
    }

    /// Checks that all migrations have run, and that SQLite finds no damage.
    private static func check(_ directory: TemporaryDirectory) throws {
        try DatabaseQueue(path: directory.path + "/tidegate.sqlite").read { db in
            let isComplete = try Migrations.isComplete(db)
            let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
            let violations = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").count
            #expect(isComplete && integrity == ["ok"] && violations == 0)
        }
    }

    @Test(arguments: releases)
    func theStandaloneFileOfAReleaseKeepsItsObjectsUsersAndFiles(release: String) async throws {
        let directory = try Self.directory(release, "standalone")
        let store = try LocalStore.make(.standalone, in: directory) { $0.takesOver = true }
        let id = try #require(try store.ids().first)
        let holiday = try #require(try store.json(id))
        let person = try #require(try store.ids(of: "Person").first)
        let host: JSONValue = ["__type": "Pointer", "className": "Person", "objectId": .string(person)]
        #expect(holiday["host"] == host && holiday["count"] == 3 && holiday["share"] == 0.25)
        #expect(holiday["date"] == ["__type": "Date", "iso": "2027-07-16T00:00:00.000Z"])
        #expect(holiday["more"] == ["k": [1, ["x": "y"]]] && holiday["raw"] == ["__type": "Bytes", "base64": "AQID"])
        #expect(holiday["ACL"] == ["*": ["read": true]])
        #expect(try store.ids(of: "_User").count == 1)
        _ = try await store.create(["name": "New Year"])
        #expect(try store.ids().count == 2)
        try Self.check(directory)
    }

    @Test(arguments: releases)
    func theReplicaFileOfAReleaseKeepsTheChangeThatWaits(release: String) async throws {
        let directory = try Self.directory(release, "replica")
        let store = try LocalStore.make(.replica, in: directory) { $0.takesOver = true }
        let id = try #require(try store.ids().first)
        #expect(try store.json(id)?["count"] == 5)
        #expect(try store.steps(of: id) == [#"create {"name":"Picnic day","count":5,"tags":["a"]}"#])
        try Self.check(directory)
    }
}
