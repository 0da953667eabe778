import GRDB
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Damage to objects of a replica that have pending changes.
@Suite("Damaged objects with pending changes")
struct DamagedPendingTests {
    private let directory: TemporaryDirectory
    private let store: LocalStore

    init() async throws {
        directory = try TemporaryDirectory()
        store = try LocalStore.make(.replica, in: directory)
    }

    private func damage(_ objectId: String, _ column: String = "view") async throws {
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction {
            try $0.execute(sql: "UPDATE objects SET \(column) = 'x' WHERE id = ?", arguments: [objectId])
        }
    }

    @Test func aDamagedObjectIsRebuiltFromItsRemoteStateAndPendingChanges() async throws {
        let created = try await store.create(["n": 1])
        let record = RemoteRecord.make("abc", ["n": 1, "name": "far"])
        try await store.pull([record])
        try await store.update("abc", ["n": 2])
        let views = try [store.json(created), store.json("abc")]
        try await damage(created)
        try await damage("abc")
        #expect(try await store.checkFile().objects.count == 2)
        #expect(try [store.json(created), store.json("abc")] == views)
        #expect(try await store.checkFile().isEmpty)
        #expect(try store.invariantViolations().isEmpty)
    }

    @Test func theFileCheckReportsADamagedRemoteStateOfAnObject() async throws {
        try await store.pull([RemoteRecord.make("abc", ["n": 1])])
        try await store.update("abc", ["n": 2])
        try await damage("abc", "base")
        #expect(try await store.checkFile().objects.map(\.objectId) == ["abc"])
        let result = await store.perform(
            [.update(className: "Holiday", objectId: "abc", body: ["n": 3])], atomically: false)[0]
        #expect(throws: StoreError.damaged(className: "Holiday", objectId: "abc")) { try result.get() }
    }
}
