import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import Gateway
@testable import SyncEngine

/// Tests a replica that is restored from a backup of its own directory. The backup contains changes that the replica may
/// have sent after the backup.
@Suite("Replicas restored from a backup")
struct RestoredReplicaTests {
    /// A backup of a replica, and the replica that is restored from it.
    private struct Copy {
        private let directory: TemporaryDirectory
        private let world: World

        /// Copies the file of the running replica.
        init(of world: World) throws {
            self.world = world
            directory = try TemporaryDirectory()
            _ = try LocalStoreKind().copy(
                directory: world.replica.store.configuration.directory, to: directory.path, sharing: nil,
                at: world.clock.environment.now(), nil)
        }

        /// Notes that the replica has not run since the backup.
        func keepIdentity() throws { try LocalStoreKind().keepIdentity(directory: directory.path) }

        /// Starts the restored replica, and lets it sync until the outcome of each change is known or asked for.
        func restore() async throws -> SyncedReplica {
            await world.replica.stop()
            let restored = try await SyncedReplica(
                directory, transport: world.transport, clock: world.clock, syncsByItself: false)
            for _ in 0..<3 {
                world.clock.advance(.seconds(120))
                try await restored.sync()
            }
            return restored
        }
    }

    private static func online(allowsChosenIds: Bool = false) async throws -> (world: World, id: String) {
        let world = try await World.make(allowsChosenIds: allowsChosenIds, syncsByItself: false)
        let id = try await world.hub.store.create("Holiday", ["name": "Easter", "n": 0])
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        return (world, id)
    }

    private func kinds(_ replica: SyncedReplica) throws -> [ConflictKind] {
        try replica.store.conflicts(resolved: false).map(\.kind)
    }

    private func answer(_ keep: String, at replica: SyncedReplica, _ world: World) async throws {
        let conflict = try #require(try replica.store.conflicts(resolved: false).first)
        try await replica.store.resolveConflict(conflict.id, keep: keep, fields: nil)
        world.clock.advance(.seconds(120))
        try await replica.sync()
    }

    @Test func incrementThatWasSentAfterTheBackupIsNotSentAgain() async throws {
        let (world, id) = try await Self.online()
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 1]])
        let copy = try Copy(of: world)
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        let restored = try await copy.restore()
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 1)
        #expect(try kinds(restored) == [.wasThisApplied])
        try await answer("applied", at: restored, world)
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 1)
        #expect(try restored.store.fields("Holiday", id)?["n"] == 1)
    }

    @Test func incrementThatWasNotSentAfterTheBackupIsSentWithoutAQuestion() async throws {
        let (world, id) = try await Self.online()
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 1]])
        let restored = try await Copy(of: world).restore()
        #expect(try kinds(restored).isEmpty)
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 1)
    }

    @Test func valueThatWasSentAfterTheBackupDoesNotOverwriteALaterEdit() async throws {
        let (world, id) = try await Self.online()
        try await world.replica.store.update("Holiday", id, ["name": "Eastern"])
        let copy = try Copy(of: world)
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try await world.hub.store.update("Holiday", id, ["name": "Easter Sunday"])
        let restored = try await copy.restore()
        #expect(try world.hub.store.fields("Holiday", id)?["name"] == "Easter Sunday")
        #expect(try kinds(restored) == [.wasThisApplied])
        try await answer("applied", at: restored, world)
        #expect(try restored.store.fields("Holiday", id)?["name"] == "Easter Sunday")
    }

    @Test(arguments: [true, false]) func objectThatWasCreatedAfterTheBackupIsAdopted(
        allowsChosenIds: Bool
    ) async throws {
        let (world, _) = try await Self.online(allowsChosenIds: allowsChosenIds)
        try await world.replica.store.create("Holiday", ["name": "Midsummer"])
        let copy = try Copy(of: world)
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        let restored = try await copy.restore()
        #expect(try kinds(restored).isEmpty)
        #expect(try world.hub.store.all("Holiday").count == 2)
        #expect(try restored.store.all("Holiday") == world.hub.store.all("Holiday"))
    }

    @Test(arguments: [true, false]) func objectThatWasCreatedAndDeletedAfterTheBackupIsNotCreatedAgainWithoutAnAnswer(
        allowsChosenIds: Bool
    ) async throws {
        let (world, id) = try await Self.online(allowsChosenIds: allowsChosenIds)
        try await world.replica.store.create("Holiday", ["name": "Midsummer"])
        let copy = try Copy(of: world)
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        let made = try #require(try world.hub.store.all("Holiday").keys.first { $0 != id })
        try await world.hub.store.delete("Holiday", made)
        let restored = try await copy.restore()
        #expect(try world.hub.store.all("Holiday").count == 1)
        #expect(try kinds(restored) == [.ambiguousCreate])
        try await answer("sendAgain", at: restored, world)
        #expect(try world.hub.store.all("Holiday").count == 2)
    }

    /// The operation ids of a replica contain its id and a number of its file. The restored file gives these numbers
    /// again.
    @Test func restoredReplicaHasAnotherIdSoThatItsOperationIdsAreNew() async throws {
        let (world, _) = try await Self.online()
        let restored = try await Copy(of: world).restore()
        #expect(restored.store.replicaId != world.replica.store.replicaId)
    }

    @Test func movedReplicaSendsItsWaitingChangesWithoutAQuestionUnderTheSameId() async throws {
        let (world, _) = try await Self.online()
        try await world.replica.store.create("Holiday", ["name": "Midsummer"])
        let copy = try Copy(of: world)
        try copy.keepIdentity()
        let moved = try await copy.restore()
        #expect(try kinds(moved).isEmpty)
        #expect(try world.hub.store.all("Holiday").count == 2)
        #expect(moved.store.replicaId == world.replica.store.replicaId)
    }

    @Test func readerOfTheChangeFeedHasToStartOverAfterARestore() async throws {
        let (world, _) = try await Self.online()
        let copy = try Copy(of: world)
        try await world.replica.store.create("Holiday", ["name": "Midsummer"])
        let seen = try world.replica.store.objects.changes(since: nil, classes: nil, limit: 1, as: .master).next
        let restored = try await copy.restore()
        for n in 0..<5 { try await restored.store.create("Holiday", ["n": .int(n)]) }
        #expect(throws: StoreError.self) {
            try restored.store.objects.changes(since: seen, classes: nil, limit: 100, as: .master)
        }
        let newest = try restored.store.objects.changes(since: nil, classes: nil, limit: 1, as: .master).next
        #expect(newest > seen)
    }
}
