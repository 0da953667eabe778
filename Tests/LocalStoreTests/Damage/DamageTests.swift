import Foundation
import GRDB
import ParseModel
import StoreService
import StoreSupport
import Synchronization
import Testing

@testable import LocalStore

@Suite("Damage in the database file")
struct DamageTests {
    private let directory: TemporaryDirectory
    private let store: LocalStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try LocalStore.make(in: directory)
    }

    private var file: String { directory.path + "/tidegate.sqlite" }

    /// Changes an object's stored JSON behind the store's back.
    private func damage(_ objectId: String, with sql: String = "replace(view, '\"n\":', '\"n\"#')") throws {
        try DatabaseQueue(path: file).writeWithoutTransaction { db in
            try db.execute(
                sql: "UPDATE objects SET view = CAST(\(sql) AS TEXT) WHERE id = ?", arguments: [objectId])
        }
    }

    private static let damages = [
        "replace(view, '\"n\":', '\"n\"#')", "substr(view, 1, 30)", "''", "'[1]'",
        "replace(view, 'plain', X'70FF61696E')",
    ]

    @Test(arguments: damages)
    func theFileCheckReportsADamagedObject(damage sql: String) async throws {
        let ids = try await createThree()
        #expect(try await store.checkFile().isEmpty)
        try damage(ids[1], with: sql)
        let findings = try await store.checkFile()
        #expect(findings.objects.map(\.objectId) == [ids[1]])
        #expect(findings.structure.isEmpty)
        #expect(findings.lines == ["the object \(ids[1]) of Holiday is damaged"])
        #expect(try await FileCheck.run(directory: directory.path) == findings)
    }

    private func createThree() async throws -> [String] {
        var ids: [String] = []
        for n in 0..<3 { ids.append(try await store.create(["n": .int(n), "name": "plain"])) }
        return ids
    }

    @Test(arguments: damages.dropLast())
    func aDamagedObjectOfAStandaloneStoreCanBeDeleted(damage sql: String) async throws {
        let ids = try await createThree()
        let index = try #require(FieldIndex(className: "Holiday", path: try FieldPath("n")))
        try await store.transactions.write { transaction in
            for sql in index.makingSQL { try transaction.db.execute(sql: sql) }
        }
        try await damageBehindIndexes(ids[1], index, with: sql)
        // A conditional write needs a comparison of tags or of an earlier state, which is impossible for a damaged
        // object.
        for terms in [WriteTerms(match: .tags(["\"x\""])), WriteTerms(base: TestClock().now)] {
            let result = await store.perform(
                [.delete(className: "Holiday", objectId: ids[1], terms: terms)], atomically: false)[0]
            #expect(throws: StoreError.damaged(className: "Holiday", objectId: ids[1])) { try result.get() }
        }
        let since = try store.changes(since: nil, classes: nil, limit: 1).next
        try await store.delete(ids[1])
        #expect(try store.changes(since: since, classes: nil, limit: 9).entries.map(\.kind) == [.delete])
        #expect(try store.json(ids[1]) == nil)
        #expect(Set(try store.ids()) == [ids[0], ids[2]])
        #expect(try await store.checkFile().isEmpty)
        let counted = "SELECT views FROM class_counts WHERE class = 'Holiday'"
        #expect(try await store.transactions.read { try Int.fetchOne($0, sql: counted) } == 2)
        await #expect(throws: ParseError.objectNotFound) { try await store.delete(ids[1]) }
    }

    /// The indexes are dropped first, because SQLite would notice the damage while it writes the row. A failing disk
    /// would not.
    private func damageBehindIndexes(_ objectId: String, _ index: FieldIndex, with sql: String) async throws {
        try await DatabaseQueue(path: file).writeWithoutTransaction { db in
            for sql in index.droppingSQL(keepsList: false) { try db.execute(sql: sql) }
            try db.execute(
                sql: "UPDATE objects SET view = CAST(\(sql) AS TEXT) WHERE id = ?", arguments: [objectId])
            try db.execute(
                sql: "CREATE INDEX \"\(index.name)\" ON objects (json_valid(view)) WHERE \(index.condition)")
        }
    }

    @Test func aDamagedObjectDoesNotAffectOtherObjects() async throws {
        let ids = try await createThree()
        try damage(ids[1])
        _ = try await store.checkFile()
        #expect(Set(try store.ids()) == [ids[0], ids[2]])
        #expect(try store.json(ids[0]) != nil)
        #expect(throws: StoreError.damaged(className: "Holiday", objectId: ids[1])) { try store.json(ids[1]) }
        let result = await store.perform(
            [.update(className: "Holiday", objectId: ids[1], body: ["n": 5])], atomically: false)[0]
        #expect(throws: StoreError.damaged(className: "Holiday", objectId: ids[1])) { try result.get() }
    }

    @Test func aQueryThatMeetsADamagedObjectFindsAllOtherObjects() async throws {
        let ids = try await createThree()
        try damage(ids[1])
        // No check has run before: the query itself finds the damage.
        #expect(try store.ids(["where": ["name": "plain"], "order": "objectId"]) == [ids[0], ids[2]].sorted())
        #expect(try store.ids(["where": ["n": ["$gte": 0]], "order": "-n"]) == [ids[2], ids[0]])
    }

    @Test func anObjectThatIsPulledAgainIsNoLongerDamaged() async throws {
        let ids = try await createThree()
        let view = try #require(try store.json(ids[1]))
        try damage(ids[1])
        _ = try await store.checkFile()
        #expect(try store.ids().count == 2)
        try damage(ids[1], with: "'\(view.jsonText)'")
        #expect(try store.ids().count == 3)
        #expect(try store.json(ids[1]) == view)
    }

    @Test func theIndexesOfADamagedClassAreDropped() async throws {
        let ids = try await createThree()
        let index = try #require(FieldIndex(className: "Holiday", path: try FieldPath("n")))
        try await store.transactions.write { transaction in
            for sql in index.makingSQL { try transaction.db.execute(sql: sql) }
        }
        try await damageBehindIndexes(ids[1], index, with: "'x'")
        _ = try await store.checkFile()
        #expect(try await store.transactions.read { try IndexTable(db: $0).all() }.isEmpty)
    }

    @Test func theFileCheckReportsDamagedChangesAndConflicts() async throws {
        let directory = try TemporaryDirectory()
        let replica = try LocalStore.make(.replica, in: directory)
        let id = try await replica.create(["n": 1])
        #expect(try await replica.checkFile().isEmpty)
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE outbox SET operations = 'x'")
            try db.execute(
                sql: """
                    INSERT INTO conflicts (class, object_id, kind, fields, remote, found_at)
                    VALUES ('Holiday', 'c', 'fields', '[]', '{', 0)
                    """)
            // The remote has deleted the object. The conflict has no remote state, and is not damaged.
            try db.execute(
                sql: """
                    INSERT INTO conflicts (class, object_id, kind, fields, base, local, found_at)
                    VALUES ('Holiday', 'd', 'deletedRemotely', '[]', '{}', '{}', 0)
                    """)
        }
        #expect(
            try await replica.checkFile().lines == [
                "a waiting change of the object \(id) of Holiday is damaged",
                "a conflict about the object c of Holiday is damaged",
            ])
    }

    /// Only the file check finds this damage, because no read compares the tables.
    @Test func theFileCheckReportsInconsistentTables() async throws {
        try await store.create(["n": 1])
        try await DatabaseQueue(path: file).writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE gone (text TEXT)")
            for _ in 0..<50 {
                try db.execute(sql: "INSERT INTO gone VALUES (?)", arguments: [String(repeating: "x", count: 4000)])
            }
            try db.execute(sql: "DROP TABLE gone")
        }
        let copy = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        _ = try await DatabaseQueue(path: file).writeWithoutTransaction { try $0.checkpoint(.truncate) }
        let path = copy.path + "/tidegate.sqlite"
        try FileManager.default.copyItem(atPath: file, toPath: path)
        #expect(try await FileCheck.run(directory: copy.path).isEmpty)
        // The first page of the list of free pages says how many it names (SQLite file format, 1.5).
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: 32)
        let trunk = try #require(try handle.read(upToCount: 4)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(trunk > 0)
        try handle.seek(toOffset: (trunk - 1) * 4096 + 4)
        try handle.write(contentsOf: Data([0x7F, 0xFF, 0xFF, 0xFF]))
        try handle.close()
        let findings = try await FileCheck.run(directory: copy.path)
        #expect(findings.structure.count == 1)
        #expect(findings.lines.first?.hasPrefix("SQLite finds damage: ") == true)
    }

    @Test func theFileCheckReportsADamagedFileStructure() async throws {
        for n in 0..<200 {
            try await store.create(["n": .int(n), "text": .string(String(repeating: "x", count: 500))])
        }
        let copy = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        try await DatabaseQueue(path: file).writeWithoutTransaction { db in
            try db.execute(sql: "VACUUM INTO ?", arguments: [copy.path + "/tidegate.sqlite"])
        }
        #expect(try await FileCheck.run(directory: copy.path).isEmpty)
        let handle = try #require(FileHandle(forWritingAtPath: copy.path + "/tidegate.sqlite"))
        let pages = try handle.seekToEnd() / 4096
        for page in [pages / 2, pages / 2 + 1] {
            try handle.seek(toOffset: page * 4096)
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 4096))
        }
        try handle.close()
        #expect(!(try await FileCheck.run(directory: copy.path).structure.isEmpty))
    }

    private final class Pauses: Sendable {
        let count = Mutex(0)
    }

    @Test func theFileCheckPausesAfterEachSlice() async throws {
        let pauses = Pauses()
        var environment = TestClock().environment
        environment.sleep = { _ in pauses.count.withLock { $0 += 1 } }
        let directory = try TemporaryDirectory()
        let store = try LocalStore(
            .init(directory: directory.path, identity: .standalone), environment: environment)
        try await store.create(["n": 1])
        _ = try await store.checkFile()
        #expect(pauses.count.withLock { $0 } == 0)
        _ = try await store.checkFile(isGentle: true)
        #expect(pauses.count.withLock { $0 } == 1)
    }
}
