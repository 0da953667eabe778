import GRDB
import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

@testable import Gateway

/// Tests a replica whose database file has corrupted bytes.
@Suite("Damaged objects of a replica")
struct DamagedObjectTests {
    private let world: World

    init() async throws {
        world = try await World.make()
        for n in 0..<5 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        // The remote's row is so old that no pull reads it again.
        world.clock.advance(.seconds(600))
        try await world.replica.sync(SyncRequest(audits: true))
    }

    private func damage(_ objectId: String) throws {
        try DatabaseQueue(path: world.directories[1].path + "/tidegate.sqlite").writeWithoutTransaction {
            try $0.execute(sql: "UPDATE objects SET view = substr(view, 1, 40) WHERE id = ?", arguments: [objectId])
        }
    }

    @Test func damagedLocalObjectIsRestoredFromTheRemote() async throws {
        let id = try #require(try world.replica.store.all("Holiday").keys.sorted().first)
        try damage(id)
        let findings = try await world.replica.store.checkFile()
        #expect(findings.lines.count == 1)
        #expect(findings.lines.first?.contains("the remote's state replaces it") == true)
        #expect(try world.replica.store.all("Holiday").count == 4)
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try world.expectEqual()
        #expect(try await world.replica.store.checkFile().isEmpty)
    }

    @Test func databaseCheckWhileInUseNamesTheDamagedObject() async throws {
        let id = try #require(try world.replica.store.all("Holiday").keys.sorted().last)
        let directory = world.directories[1].path
        #expect(try await Doctor.checkFile(in: directory, stores: LocalStoreKind()).isEmpty)
        try damage(id)
        #expect(try await Doctor.checkFile(in: directory, stores: LocalStoreKind()).map { $0.contains(id) } == [true])
        // The check of `doctor` only reads, so a second check finds the same damage.
        #expect(try await Doctor.checkFile(in: directory, stores: LocalStoreKind()).count == 1)
    }
}
