import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests edits that the remote has acknowledged while its lists still show an older row.
@Suite("Acknowledged edits that the remote does not show")
struct UnshownEditTests {
    private let world: World
    private let id: String
    /// A copy of the remote without the edit, as a lagging server or a restored backup shows it.
    private let copy: Hub
    private let backup: Backup

    init() async throws {
        world = try await World.make()
        id = try await world.hub.store.create("Holiday", ["n": 1])
        for n in 2..<5 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
        backup = try Backup(of: world.hub)
        world.clock.advance(.seconds(60))
        try await world.replica.store.update("Holiday", id, ["name": "mine"])
        try await world.replica.sync(SyncRequest(pulls: false))
        copy = try backup.restore(in: world)
    }

    private func sync() async throws {
        world.clock.advance(.seconds(60))
        try await world.replica.sync(SyncRequest(audits: true))
    }

    private var name: JSONValue? { get throws { try world.replica.store.fields("Holiday", id)?["name"] } }

    @Test func acknowledgedEditIsNotUndoneByALaggingRemote() async throws {
        for _ in 0..<2 {
            try await sync()
            #expect(try name == "mine")
            #expect(try world.replica.store.removals().isEmpty)
        }
        world.transport.use(world.hub.api)
        for _ in 0..<8 { try await sync() }
        #expect(try world.replica.store.removals().isEmpty)
        try world.expectEqual()
    }

    /// Objects that the older copy lacks are not removed for the time being. In the end, their removal waits for a
    /// decision together with the lost edit.
    @Test func acknowledgedEditMissingAtTheRemoteDelaysRemovals() async throws {
        let world = try await World.make()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        for n in 2..<5 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
        let backup = try Backup(of: world.hub)
        world.clock.advance(.seconds(60))
        let theirs = try await world.hub.store.create("Holiday", ["n": 5])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        try await world.replica.store.update("Holiday", id, ["name": "mine"])
        try await world.replica.sync(SyncRequest(pulls: false))
        _ = try backup.restore(in: world)
        for _ in 0..<8 {
            world.clock.advance(.seconds(60))
            try await world.replica.sync(SyncRequest(audits: true))
            #expect(try world.replica.store.fields("Holiday", theirs) != nil)
        }
        let removal = try #require(try world.replica.store.removals().first)
        #expect(removal.reason == .restoredBackup)
        #expect(removal.objectIds == [theirs])
        #expect(removal.olderIds == [id])
    }

    @Test func acknowledgedEditThatStaysMissingProvesARestoredBackup() async throws {
        for _ in 0..<8 { try await sync() }
        let removal = try #require(try world.replica.store.removals().first)
        #expect(removal.reason == .restoredBackup)
        #expect(removal.olderIds == [id])
        #expect(try name == "mine")
        try await world.replica.store.keepRemoval(removal.id)
        for _ in 0..<2 { try await sync() }
        #expect(try copy.store.fields("Holiday", id)?["name"] == "mine")
        #expect(try world.replica.store.removals().isEmpty)
    }

    /// Later pulls do not return the older row, so it is read by its id.
    @Test func objectsWhoseAcknowledgedEditsAreMissingAreReadById() async throws {
        try await sync()
        for _ in 0..<7 {
            world.clock.advance(.seconds(60))
            try await world.replica.sync()
        }
        #expect(try world.replica.store.removals().first?.olderIds == [id])
        #expect(try name == "mine")
    }

    @Test func nextEditWaitsUntilTheRemoteShowsTheAcknowledgedEdit() async throws {
        try await world.replica.store.update("Holiday", id, ["later": true])
        try await sync()
        #expect(try copy.store.fields("Holiday", id)?["later"] == nil)
        world.transport.use(world.hub.api)
        for _ in 0..<2 { try await sync() }
        #expect(try world.hub.store.fields("Holiday", id)?["later"] == true)
        try world.expectEqual()
    }

    /// A row with an earlier timestamp may contain an edit that was committed later, which a deletion would lose.
    @Test func deletionWaitsUntilTheRemoteShowsTheAcknowledgedEdit() async throws {
        try await world.replica.store.delete("Holiday", id)
        try await sync()
        #expect(try copy.store.fields("Holiday", id) != nil)
        world.transport.use(world.hub.api)
        for _ in 0..<2 { try await sync() }
        #expect(try world.hub.store.fields("Holiday", id) == nil)
        try world.expectEqual()
    }

    /// The restored remote shows an older row. It does not tell whether a change that was sent before the restore had
    /// been applied.
    @Test func olderRowDoesNotDecideAnIncrementOfUnknownOutcome() async throws {
        world.transport.use(world.hub.api)
        for _ in 0..<2 { try await sync() }
        world.transport.once(.requestLost) { method, _, _ in method == "PUT" }
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 1]])
        _ = await world.replica.engine.startAndWait(SyncRequest(pulls: false))
        world.transport.heal()
        world.transport.use(copy.api)
        for _ in 0..<2 { try await sync() }
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        let removal = try #require(try world.replica.store.removals().first)
        #expect(removal.olderIds == [id])
        try await world.replica.store.keepRemoval(removal.id)
        for _ in 0..<3 { try await sync() }
        #expect(try copy.store.fields("Holiday", id)?["name"] == "mine")
        #expect(try copy.store.fields("Holiday", id)?["n"] == 2)
        #expect(try await world.replica.store.figures().pending == 0)
    }
}
