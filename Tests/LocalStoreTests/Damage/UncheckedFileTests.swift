import GRDB
import ParseModel
import StoreService
import StoreSupport
import Synchronization
import Testing

@testable import LocalStore

/// Reads of a database file that has not been checked yet.
@Suite("A database file before its check")
struct UncheckedFileTests {
    private let directory: TemporaryDirectory
    private let store: LocalStore
    private let log = Log()

    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
    }

    init() throws {
        directory = try TemporaryDirectory()
        store = try LocalStore.make(in: directory) { [log] in
            $0.onDamage = { findings in log.lines.withLock { $0 += findings.lines } }
        }
    }

    private func change(_ sql: String) async throws {
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction {
            try $0.execute(sql: sql)
        }
    }

    private func createThree() async throws -> [String] {
        var ids: [String] = []
        for n in 0..<3 { ids.append(try await store.create(["n": .int(n), "name": "plain"])) }
        return ids
    }

    /// No condition of these queries looks into the objects.
    @Test(arguments: [
        "replace(view, '\"n\":', '\"n\"#')", "substr(view, 1, 30)",
        "CAST(replace(view, 'plain', X'70FF61696E') AS TEXT)",
    ])
    func aListLeavesADamagedObjectOutAndReportsIt(damage: String) async throws {
        let ids = try await createThree()
        try await change("UPDATE objects SET view = \(damage) WHERE id = '\(ids[1])'")
        for _ in 0..<2 {
            #expect(try Set(store.ids()) == [ids[0], ids[2]])
            #expect(store.damagedCount(of: "Holiday") == 1)
        }
        #expect(log.lines.withLock { $0 } == ["the object \(ids[1]) of Holiday is damaged"])
        #expect(store.damagedCount(of: "City") == 0)
    }

    @Test func aReadByIdReportsADamagedObject() async throws {
        let ids = try await createThree()
        try await change("UPDATE objects SET view = substr(view, 1, 30) WHERE id = '\(ids[1])'")
        #expect(throws: StoreError.damaged(className: "Holiday", objectId: ids[1])) { try store.json(ids[1]) }
        #expect(log.lines.withLock { $0 } == ["the object \(ids[1]) of Holiday is damaged"])
        #expect(try store.json(ids[0]) != nil)
    }

    /// A flipped bit in the entry of an index, or in the class of a row, hides a row whose JSON is sound.
    @Test func objectsMissingFromAListAreReportedOnce() async throws {
        let ids = try await createThree()
        try await change("UPDATE class_counts SET views = 4, bases = bases WHERE class = 'Holiday'")
        for _ in 0..<2 {
            #expect(try Set(store.ids()) == Set(ids))
            #expect(store.damagedCount(of: "Holiday") == 1)
        }
        #expect(
            log.lines.withLock { $0 } == [
                "objects missing from a list of Holiday: 1, because the structure of the file is damaged"
            ])
        // A list with conditions, `skip` or `limit` may be shorter than the class.
        try await change("UPDATE class_counts SET views = 3 WHERE class = 'Holiday'")
        _ = try store.ids()
        for parameters: JSONObject in [["limit": 2], ["skip": 2], ["skip": 5], ["where": ["n": 0]], ["limit": 0]] {
            _ = try store.ids(parameters)
            #expect(store.damagedCount(of: "Holiday") == 0)
        }
    }

    @Test func aFileCheckWithoutDamageEndsTheChecksDuringReads() async throws {
        let ids = try await createThree()
        #expect(!store.damaged.areAllKnown)
        #expect(try await store.checkFile().isEmpty)
        #expect(store.damaged.areAllKnown)
        // A query that meets damage later starts the checks during reads again.
        try await change("UPDATE objects SET view = substr(view, 1, 30) WHERE id = '\(ids[1])'")
        #expect(try store.ids(["where": ["n": ["$gte": 0]]]).count == 2)
        #expect(!store.damaged.areAllKnown)
    }
}
