import GRDB
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// Migrates a database of the version before ACLs and files were stored in Parse Server's form.
@Suite("Migration of stored ACLs and files")
struct StoredValueMigrationTests {
    private static let versionBefore = 29

    private static let list = #""l":[{"__type":"File","name":"a","url":"u"}]"#
    private static let views: [(id: String, fields: String)] = [
        ("number", #""ACL":{"*":{"read":1}}"#), ("false", #""ACL":{"u":{"write":true,"read":false},"v":{}}"#),
        ("text", #""ACL":"x""#), ("null", #""ACL":null,"n":1"#), ("right", #""ACL":{"*":{"read":true}},"n":1.50"#),
        ("inner", #""o":{"ACL":{"*":{"read":1}}}"#), ("broken", #""ACL":{"#),
        ("file", #""f":{"__type":"File","name":"a","url":"javascript:x"},\#(list)"#),
        ("both", #""ACL":{"*":{"read":1}},"f":{"__type":"File","name":"a","url":"u"}"#),
    ]

    private typealias Texts = (view: String, base: String?)

    private func texts(_ identity: StoreIdentity) throws -> [String: Texts] {
        let directory = try TemporaryDirectory()
        let data = try DataDirectory(path: directory.path)
        try data.makeDatabaseFile()
        try DatabaseQueue(path: data.databasePath).writeWithoutTransaction { db in
            try Migrations.run(in: db, through: Self.versionBefore)
            for (id, fields) in Self.views {
                try db.run(
                    """
                    INSERT INTO objects (class, id, view, base, created_at, updated_at, base_kind)
                    VALUES ('Note', ?1, ?2, ?2, 1000, 2000, 2)
                    """, [id, Self.text(id, fields)])
            }
            let mode = identity.remote != nil ? "replica" : "standalone"
            try db.run("INSERT INTO meta (key, value) VALUES ('mode', ?)", [mode])
            try db.run(
                """
                INSERT INTO outbox (class, id, kind, operations, phase, made_at, edited_at, request_id)
                VALUES ('Note', 'number', 'update', '{"ACL":{"*":{"read":1}},"n":1.50}', 'pending', 0, 0, 'r')
                """)
            try db.run(
                """
                INSERT INTO conflicts (class, object_id, kind, fields, base, local, remote, found_at)
                VALUES ('Note', 'number', 'changedOnBoth', '[]', NULL, '{"ACL":{"*":{"read":1}}}', '{"n":1}', 0)
                """)
            try Migrations.run(in: db)
        }
        return try DatabaseQueue(path: data.databasePath).read { db in
            #expect(try db.texts("SELECT operations FROM outbox") == [#"{"ACL":{"*":{"read":true}},"n":1.50}"#])
            let conflict = try db.firstRow("SELECT base, local, remote FROM conflicts") { row in
                [row.textIfAny(0), row.textIfAny(1), row.textIfAny(2)]
            }
            #expect(conflict == [nil, #"{"ACL":{"*":{"read":true}}}"#, #"{"n":1}"#])
            var texts: [String: Texts] = [:]
            try db.forEachRow("SELECT id, view, base FROM objects") { row in
                texts[row.text(0)] = (row.text(1), row.textIfAny(2))
            }
            return texts
        }
    }

    private static func text(_ id: String, _ fields: String) -> String {
        #"{"objectId":"\#(id)","createdAt":"1970-01-01T00:00:01.000Z","updatedAt":"1970-01-01T00:00:02.000Z",\#(fields)}"#
    }

    private func expect(_ texts: [String: Texts], _ id: String, _ view: String, _ base: String? = nil) {
        #expect(texts[id]?.view == Self.text(id, view))
        #expect(texts[id]?.base == Self.text(id, base ?? view))
    }

    @Test(arguments: [StoreIdentity.standalone, .replica]) func theMigrationMakesStoredACLsCanonical(
        identity: StoreIdentity
    ) throws {
        let texts = try texts(identity)
        expect(texts, "number", #""ACL":{"*":{"read":true}}"#)
        expect(texts, "false", #""ACL":{"u":{"write":true}}"#)
        expect(texts, "text", #""ACL":{}"#)
        expect(texts, "null", #""n":1"#)
        for id in ["right", "inner", "broken"] {
            expect(texts, id, try #require(Self.views.first { $0.id == id }).fields)
        }
    }

    @Test func theMigrationKeepsFileNamesOfAStandaloneStore() throws {
        let texts = try texts(.standalone)
        let file = #""f":{"__type":"File","name":"a"}"#
        expect(
            texts, "file", "\(file),\(Self.list)",
            #""f":{"__type":"File","name":"a","url":"javascript:x"},\#(Self.list)"#)
        expect(
            texts, "both", #""ACL":{"*":{"read":true}},\#(file)"#,
            #""ACL":{"*":{"read":true}},"f":{"__type":"File","name":"a","url":"u"}"#)
    }

    @Test func theMigrationKeepsFileAddressesOfAReplica() throws {
        let texts = try texts(.replica)
        for id in ["file"] { expect(texts, id, try #require(Self.views.first { $0.id == id }).fields) }
    }

    @Test(arguments: [
        (#"{"n":1}"#, true), (#"{"ACL":{}}"#, true), (#"{"ACL":{"u":{}}}"#, false), (#"{"ACL":null}"#, false),
        (#"{"ACL":{"u":{"read":true},"*":{"read":true,"write":true}}}"#, true), (#"{"ACL":{"#, false),
        (#"{"t":"\"ACL\":","ACL":{"u":{"write":true,"read":true}}}"#, true), (#"{"ACL":{"u":{"read":1}}}"#, false),
        (#"{"ACL":{"u\"":{"read":true}}}"#, false),
    ])
    func canonicalACLsAreRecognizedWithoutParsing(text: String, isCanonical: Bool) {
        #expect(StoredValueMigration.hasCanonicalACLs(Array(text.utf8)) == isCanonical)
    }
}
