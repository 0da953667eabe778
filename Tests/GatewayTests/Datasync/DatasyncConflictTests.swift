import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import TablesServer
import Testing

/// Tests conflicts: this replica and another client of the table server change the same row.
@Suite("Conflicts with a table server over HTTP", .timeLimit(.minutes(10)))
struct DatasyncConflictTests {
    private static let changes: [(TablesVariant, ConflictPolicy)] = TablesVariant.allCases.flatMap { variant in
        ConflictPolicy.allCases.map { (variant, $0) }
    }

    @Test(arguments: changes)
    func conflictingEditsOfOneTableFieldFollowTheConflictPolicy(
        _ change: (variant: TablesVariant, policy: ConflictPolicy)
    ) async throws {
        let world = try await DatasyncWorld.sharing(change.variant, ["n": 1, "name": "a"])
        try await world.set(["policy": .string(change.policy.rawValue)])
        try await world.store.update("Holiday", "row", ["n": 2])
        world.server.put("Holiday", "row", ["n": 3, "m": 9])
        try await world.sync()
        switch change.policy {
        case .merge, .local: #expect(world.live["row"] == ["n": 2, "name": "a", "m": 9])
        case .remote: #expect(world.live["row"] == ["n": 3, "name": "a", "m": 9])
        case .manual:
            let conflict = try #require(try world.store.conflicts(resolved: false).first)
            #expect(conflict.kind == .fields)
            try await world.store.resolveConflict(conflict.id, keep: "local", fields: nil)
            try await world.sync()
            #expect(world.live["row"] == ["n": 2, "name": "a", "m": 9])
        }
        try await world.settle()
    }

    /// Another client changes the row after the replica's pull and before its write.
    @Test(arguments: TablesVariant.allCases)
    func aRemoteEditBetweenReadAndWriteIsNotOverwritten(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1, "name": "a"])
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        world.server.put("Holiday", "row", ["n": 10])
        try await world.sync()
        #expect(world.live["row"] == ["n": 11, "name": "a"])
        try await world.settle()
    }

    @Test(arguments: TablesVariant.allCases, ["local", "remote"])
    func aLocalEditOfARemotelyDeletedRowIsAConflict(_ variant: TablesVariant, keep: String) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1, "name": "a"])
        for n in 0..<5 { world.server.put("Holiday", "other\(n)", ["n": .int(n)]) }
        try await world.sync()
        world.clock.advance(.seconds(60))
        try await world.store.update("Holiday", "row", ["n": 2])
        world.server.delete("Holiday", "row")
        _ = await world.engine.sync()
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedRemotely)
        try await world.store.resolveConflict(conflict.id, keep: keep, fields: nil)
        try await world.settle()
        #expect(world.live["row"] == (keep == "local" ? ["n": 2, "name": "a"] : nil))
    }

    @Test(arguments: TablesVariant.allCases, ["local", "remote"])
    func aLocalDeletionOfARemotelyEditedRowIsAConflict(_ variant: TablesVariant, keep: String) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        try await world.store.delete("Holiday", "row")
        world.server.put("Holiday", "row", ["n": 2])
        try await world.sync()
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedLocally)
        try await world.store.resolveConflict(conflict.id, keep: keep, fields: nil)
        try await world.settle()
        #expect(world.live["row"] == (keep == "local" ? nil : ["n": 2]))
    }

    /// A read-only table refuses each write permanently.
    @Test(arguments: TablesVariant.allCases)
    func writesToAReadOnlyTableAreRejected(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        world.server.change("Holiday") {
            $0.isReadOnly = true
            $0.refusalStatus = 405
        }
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.store.create("Holiday", ["n": 3])
        #expect(try await world.sync().rejections == 2)
        world.server.change("Holiday") { $0.isReadOnly = false }
        for rejection in try world.store.rejections() {
            try await world.store.retryRejection(rejection.id, fields: nil)
        }
        try await world.settle()
        #expect(world.live["row"] == ["n": 2])
        #expect(world.live.count == 2)
    }
}
