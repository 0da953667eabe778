import GRDB
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Tests who may read a file of a site replica before its upload to the remote.
@Suite struct SiteFileTests {
    private let store: LocalStore
    private let ada = Principal.signedIn("ada")
    private let ben = Principal.signedIn("ben")
    private static let ofAda: JSONValue = ["ada": ["read": true, "write": true]]

    init() async throws {
        store = try LocalStore.make(.replica) { $0.rights = .site }
        try await store.takeRemoteSchemas([ClassSchema("Note"), ClassSchema("_Role"), ClassSchema("_User")])
        try await upload("cat", as: ada)
    }

    private func upload(_ name: String, as principal: Principal) async throws {
        _ = try await store.addFile(try store.draft("meow"), name: name, contentType: "text/plain", as: principal)
    }

    @discardableResult
    private func create(_ body: JSONObject, as principal: Principal) async throws -> String {
        try await store.perform([.create(className: "Note", body: body)], as: principal, atomically: false)[0].get()
            .objectId
    }

    private func opens(_ name: String, _ principal: Principal) throws -> Bool {
        try store.fileRights.opens(try #require(try store.file(name)), for: principal)
    }

    private func shows(_ name: String, _ principal: Principal) throws -> Bool {
        try store.fileRights.shows(try #require(try store.file(name)), to: principal)
    }

    @Test func anUnsentFileIsReadableByItsAuthorOnly() async throws {
        for reader in [ada, .master, .readOnlyMaster] { #expect(try opens("cat", reader)) }
        for reader in [ben, .public] { #expect(try !opens("cat", reader) && !shows("cat", reader)) }
        try await upload("dog", as: .public)
        try await upload("fox", as: .master)
        for name in ["dog", "fox"] {
            for reader in [ada, .public] { #expect(try !opens(name, reader) && !shows(name, reader)) }
            #expect(try opens(name, .master))
        }
    }

    @Test func theReadersOfAnObjectMayReadItsUnsentFile() async throws {
        try await create(["list": [["deep": .file("cat")]], "ACL": Self.ofAda], as: ada)
        #expect(try !shows("cat", ben))
        try await create(["file": .file("cat")], as: ada)
        #expect(try shows("cat", ben) && shows("cat", .public))
        #expect(try !opens("cat", ben))
    }

    @Test func anObjectThatNoLongerNamesAFileGivesNoRightToReadTheFile() async throws {
        let id = try await create(["file": .file("cat")], as: ada)
        try await upload("dog", as: ben)
        _ = try await store.perform(
            [.update(className: "Note", objectId: id, body: ["file": .file("dog")])], as: ben, atomically: false)[0]
            .get()
        #expect(try !shows("cat", ben))
        #expect(try shows("dog", ada))
    }

    @Test func classPermissionsRestrictTheReadersOfAFile() async throws {
        try await create(["file": .file("cat")], as: ada)
        var schema = ClassSchema("Note")
        schema.permissions = [
            "find": ["ada": true], "get": ["ada": true], "create": ["*": true], "update": ["*": true],
        ]
        try await store.takeRemoteSchemas([schema])
        #expect(try !shows("cat", ben))
        schema.permissions = ["find": ["*": true], "protectedFields": ["*": ["file"]]]
        try await store.takeRemoteSchemas([schema])
        #expect(try !shows("cat", ben))
        schema.permissions = ["find": ["*": true]]
        try await store.takeRemoteSchemas([schema])
        #expect(try shows("cat", ben))
    }

    /// Otherwise a user could read the content through an own object that names the file.
    @Test func writingAFileNameNeedsTheRightToReadTheFile() async throws {
        let refusal = ParseError(.operationForbidden, "The file cat of another user is not on the remote yet.")
        await #expect(throws: refusal) { try await create(["file": .file("cat")], as: ben) }
        await #expect(throws: refusal) { try await create(["list": [.file("cat")]], as: .public) }
        try await create(["file": .file("cat")], as: .master)
        try await create(["file": .file("cat")], as: ben)
        // A file that was uploaded without a session can become part of a user's object.
        try await upload("dog", as: .public)
        try await create(["file": .file("dog")], as: ada)
        // An unknown name is no file.
        try await create(["file": .file("unknown")], as: ben)
    }

    @Test func anUploadedFileIsReadableForEveryoneWhoKnowsItsName() async throws {
        try await create(["file": .file("cat"), "ACL": Self.ofAda], as: ada)
        let sending = try await store.sync.sending(for: .user("ada"))
        try await sending.fileIsUploaded("cat", as: FileReference(name: "r_cat", url: "http://remote/r_cat"))
        for name in ["cat", "r_cat"] { #expect(try opens(name, .public)) }
        try await create(["file": .file("cat")], as: ben)
    }

    /// In all other stores, every client that knows the name of a file may read the file.
    @Test func onlyASiteReplicaKeepsTheAuthorsOfFiles() async throws {
        let other = try LocalStore.make(.replica)
        try await other.addFile("cat", "meow")
        let file = try #require(try other.file("cat"))
        #expect(try other.fileRights.opens(file, for: .public))
    }

    @Test func aFileFromAnEarlierVersionHasTheAuthorOfItsChange() throws {
        let directory = try TemporaryDirectory()
        try Self.makeEarlierFile(in: directory)
        let store = try LocalStore.make(.replica, in: directory) { $0.rights = .site }
        let authors = try store.transactions.read {
            try $0.rows("SELECT author FROM files WHERE author IS NOT NULL") { $0.integer(0) }
        }
        #expect(authors == [7])
        #expect(try store.fileRights.opens(try #require(try store.file("carried")), for: ada))
        #expect(try !store.fileRights.opens(try #require(try store.file("loose")), for: ada))
    }

    /// Creates a database of the version before files had authors.
    private static func makeEarlierFile(in directory: TemporaryDirectory) throws {
        let data = try DataDirectory(path: directory.path)
        try data.makeDatabaseFile()
        try DatabaseQueue(path: data.databasePath).writeWithoutTransaction { db in
            try Migrations.run(in: db, through: 26)
            _ = try StoreIdentity.replica.claim(db, in: data, takesOver: false, environment: TestClock().environment)
            try db.execute(
                sql: """
                    INSERT INTO identities (key, name) VALUES (7, 'user:ada');
                    INSERT INTO files (name, made_at, used_at) VALUES ('carried', 1, 1), ('loose', 1, 1);
                    INSERT INTO files (name, remote_url, made_at, used_at) VALUES ('remote', 'http://remote/a', 1, 1);
                    INSERT INTO outbox (seq, class, id, kind, operations, phase, made_at, edited_at, was_attempted,
                        attempts, request_id, identity)
                    VALUES (3, 'Note', 'n', 'create', '{}', 'pending', 1, 1, 0, 0, 'r', 7);
                    INSERT INTO outbox_files (seq, name) VALUES (3, 'carried'), (3, 'remote');
                    """)
        }
    }
}
