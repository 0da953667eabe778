import GRDB
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// Migrates a database of the version before ACLs were enforced.
@Suite("Migration of a database without numbers of ACLs")
struct ACLMigrationTests {
    private static let versionBefore = 20

    /// `broken` is unreadable. `inner` has a member `ACL` that is not its own.
    private static let views: [(id: String, fields: String)] = [
        ("open", #""n":1"#), ("inner", #""o":{"ACL":{}}"#), ("null", #""ACL":null"#),
        ("public", #""ACL":{"*":{"read":true},"u1":{"write":true}}"#),
        ("mine", #""ACL":{"u1":{"read":true,"write":true}}"#),
        ("same", #""ACL":{"u1":{"write":true,"read":true}}"#), ("role", #""ACL":{"role:R":{"read":true}}"#),
        ("nobody", #""ACL":{}"#), ("broken", #""ACL":{"#),
    ]

    private let store: LocalStore
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try Self.makeFile(in: directory)
        store = try LocalStore.make(in: directory)
    }

    private static func makeFile(in directory: TemporaryDirectory) throws {
        let data = try DataDirectory(path: directory.path)
        try data.makeDatabaseFile()
        try DatabaseQueue(path: data.databasePath).writeWithoutTransaction { db in
            try Migrations.run(in: db, through: Self.versionBefore)
            for (id, fields) in Self.views {
                let view = """
                    {"objectId":"\(id)","createdAt":"1970-01-01T00:00:01.000Z","updatedAt":"1970-01-01T00:00:02.000Z",\(fields)}
                    """
                try db.run(
                    """
                    INSERT INTO objects (class, id, view, created_at, updated_at, base_kind)
                    VALUES ('Note', ?, ?, 1000, 2000, 0)
                    """, [id, view])
            }
            try db.run("INSERT INTO class_counts VALUES ('Note', 0, ?)", [views.count])
            try db.run("INSERT INTO changes (class, id, kind, at) VALUES ('Note', 'open', 'create', 1000)")
            try db.run(
                """
                INSERT INTO schemas (class, permissions, indexes) VALUES ('Note', '{"find":{"*":true},"get":{"*":true}}', '{}')
                """)
            _ = try StoreIdentity.standalone.claim(
                db, in: data, takesOver: false, environment: TestClock().environment)
        }
    }

    @Test func theMigrationEnforcesTheACLsOfExistingObjects() throws {
        let ids = { (principal: Principal) in
            try store.find("Note", ParseQuery(), as: principal).objects.map(\.objectId)
        }
        let open = ["open", "inner", "null", "public"]
        #expect(try ids(.public) == open)
        #expect(try ids(.signedIn("u1")) == open + ["mine", "same"])
        #expect(try ids(.signedIn("u2", roles: ["R"])) == open + ["role"])
        #expect(try ids(.master) == Self.views.map(\.id).filter { $0 != "broken" })
        #expect(throws: StoreError.damaged(className: "Note", objectId: "broken")) {
            try store.object("Note", "broken", as: .signedIn("u1"))
        }
    }

    @Test func equalACLsShareOneRowAfterTheMigration() throws {
        let keys = try store.transactions.read { db in
            try db.rows("SELECT id, acl FROM objects ORDER BY pk") { ($0.text(0), $0.integer(1)) }
        }
        let key = Dictionary(uniqueKeysWithValues: keys)
        #expect(key["open"] == 0 && key["inner"] == 0 && key["null"] == 0)
        #expect(key["mine"] == key["same"])
        #expect(key["nobody"] == key["broken"])
        #expect(try #require(key["public"]) < 0)
        #expect(Set(keys.map(\.1)).count == 5)
    }

    @Test func aSecondMigrationOfACLsChangesNothing() throws {
        let content: () throws -> [String] = {
            let path = try store.transactions.read {
                try $0.text("SELECT file FROM pragma_database_list WHERE name = 'main'")
            }
            return try DatabaseQueue(path: #require(path)).writeWithoutTransaction { db in
                try Migrations.run(in: db)
                return try db.texts("SELECT id || acl FROM objects ORDER BY pk")
                    + db.texts("SELECT number || entries FROM acls ORDER BY number")
                    + db.texts("SELECT entity || acl FROM acl_readers ORDER BY entity, acl")
            }
        }
        #expect(try content() == content())
    }

    @Test func aNewObjectSharesTheNumberOfAnEarlierACL() async throws {
        let id = try await store.create(["ACL": ["u1": ["write": true, "read": true]]], of: "Note")
        let same: Bool = try await store.transactions.read { db in
            try db.isTrue(
                "SELECT count(DISTINCT acl) = 1 FROM objects WHERE id IN (?, 'mine')", [id])
        }
        #expect(same)
    }

    @Test func newlyEnforcedRightsAreReportedOnceAfterTheMigration() async throws {
        let rights = try #require(try await store.takeNewRights())
        #expect(rights.objects == ["Note": 6])
        #expect(rights.classes == ["Note"])
        #expect(rights.lines == ["ACLs restrict 6 objects: Note (6)", "permissions restrict 1 class: Note"])
        #expect(try await store.takeNewRights() == nil)
        // `doctor` reads a file that may be older. It leaves out the unreadable object.
        #expect(try EffectiveRights(directory: store.configuration.directory)?.objects == ["Note": 5])
    }

    @Test func aNewFileReportsNoNewlyEnforcedRights() async throws {
        let new = try LocalStore.make()
        try await new.create(["ACL": [:]], of: "Note")
        #expect(try await new.takeNewRights() == nil)
        #expect(try EffectiveRights(directory: new.configuration.directory)?.objects == ["Note": 1])
        #expect(try EffectiveRights(directory: LocalStore.make(.replica).configuration.directory) == nil)
    }

    /// Feed entries of earlier versions do not record who could read the object.
    @Test func theMigrationOfACLsInvalidatesFeedPositions() throws {
        #expect(throws: StoreError.self) { try store.changes(since: 0, classes: nil, limit: 1) }
        #expect(try store.changes(since: nil, classes: nil, limit: 1).next == 1)
    }
}
