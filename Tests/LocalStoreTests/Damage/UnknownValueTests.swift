import GRDB
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

/// A value in the database that the program does not know is an error. The store never treats it as another value.
@Suite("Unknown values in the database")
struct UnknownValueTests {
    private let directory: TemporaryDirectory
    private let store: LocalStore

    init() async throws {
        directory = try TemporaryDirectory()
        store = try LocalStore.make(.replica, in: directory)
        try await store.pull([.make("known", ["n": 1])])
    }

    private func change(_ sql: String) throws {
        try DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction { db in
            try db.execute(sql: sql)
            try #require(db.changesCount > 0)
        }
    }

    @Test func anUnknownObjectStateInTheDatabaseIsAnError() async throws {
        try change("UPDATE objects SET state = 99")
        #expect(throws: StoreError.self) { try store.object("Holiday", "known") }
        #expect(throws: StoreError.self) { try store.ids() }
        #expect(throws: StoreError.self) { try store.changes(since: 0, classes: nil, limit: 10) }
    }

    @Test func anUnknownStandingOfARemoteStateInTheDatabaseIsAnError() async throws {
        try change("UPDATE objects SET base_standing = 99")
        await #expect(throws: StoreError.self) { try await store.update("known", ["n": 2]) }
    }

    @Test(
        arguments: [
            #"{"policy":"sideways"}"#, #"{"policy":1}"#, #"{"files":"sometimes"}"#, #"{"table":1}"#, #"{"fields":[]}"#,
            #"{"fields":{"date":{"type":"Moment"}}}"#, #"{"fields":{"date":{"type":"String"}}}"#, "7", "no JSON",
        ])
    func unknownClassOptionsInTheDatabaseAreAnError(_ text: String) async throws {
        try await store.registerClass("Holiday")
        try change("UPDATE classes SET options = '\(text)'")
        await #expect(throws: StoreError.self) { try await store.sync.syncClasses() }
    }

    @Test func anUnknownKindOfConflictInTheDatabaseIsAnError() async throws {
        try await store.update("known", ["n": 2])
        _ = try await store.sync.apply([], gone: ["known"], of: "Holiday")
        try change("UPDATE conflicts SET kind = 'quarrel'")
        #expect(throws: StoreError.self) { try store.conflicts(resolved: false) }
        await #expect(throws: StoreError.self) { try await store.update("known", ["n": 3]) }
    }

    @Test func anUnknownReasonOfAHeldBackRemovalInTheDatabaseIsAnError() async throws {
        try await store.sync.holdRemoval(of: ["known"], in: "Holiday", total: 1)
        try change("UPDATE removals SET reason = 'whim'")
        #expect(throws: StoreError.self) { try store.removals() }
    }
}
