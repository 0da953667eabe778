import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests audits: periodic comparisons of all pulled objects with the remote's rows.
@Suite("Audits of pulled objects against the remote")
struct AuditTests {
    private let world: World
    private let id: String

    init() async throws {
        world = try await World.make(pageMax: 4, keepsStampsInOrder: false)
        id = try await world.hub.store.create("Holiday", ["n": 1])
        for n in 2..<12 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        world.clock.advance(.seconds(7200))
        // The next pull begins at the remote's last change, so this create moves it past the other objects.
        try await world.hub.store.create("Holiday", ["n": 0])
        try await world.replica.sync(SyncRequest(audits: true))
        world.clock.advance(.seconds(60))
    }

    /// Edits the remote's object with a timestamp of an hour ago. Neither the overlap of the next pull nor a count
    /// shows the edit.
    private func editUnseen() async throws {
        world.clock.turn(by: .seconds(-3600))
        try await world.hub.store.update("Holiday", id, ["n": 100])
        world.clock.turn(by: .seconds(3600))
    }

    private func auditedAt() async throws -> JSONValue? {
        let (_, answer) = try await world.replica.send("GET /sync/classes/Holiday", clock: world.clock)
        return answer["pulls"]?.array?.first?.object?["auditedAt"]
    }

    @Test func auditRepairsAndReportsMissedRemoteChanges() async throws {
        try await editUnseen()
        try await world.replica.sync()
        #expect(try world.replica.store.fields("Holiday", id)?["n"] == 1)
        let (status, answer) = try await world.replica.send("POST /sync?wait=true&audit=true", clock: world.clock)
        #expect(status == 200)
        #expect(answer["repaired"] == 1)
        #expect(answer["warnings"]?.array?.count == 1)
        #expect(answer["warnings"]?.array?.first?.string?.contains("Holiday") == true)
        try world.expectEqual()
        let again = try await world.replica.sync(SyncRequest(audits: true))
        #expect(again.repaired == 0)
        #expect(again.warnings.isEmpty)
    }

    @Test func anAuditIsDueOnlyAfterItsInterval() async throws {
        try await editUnseen()
        world.clock.advance(.seconds(23 * 3600))
        #expect(try await world.replica.sync().repaired == 0)
        world.clock.advance(.seconds(3600))
        #expect(try await world.replica.sync().repaired == 1)
        try await world.hub.store.update("Holiday", id, ["n": 99])
        try await world.replica.sync()
        try await editUnseen()
        world.clock.advance(.seconds(23 * 3600))
        #expect(try await world.replica.sync().repaired == 0)
    }

    /// After a confirmed removal an audit is owed, because the remote may show the objects again.
    @Test func auditOwedAfterAConfirmedRemovalWaitsForAListWithObjects() async throws {
        world.transport.showNothing()
        try await world.replica.sync()
        let removal = try #require(try world.replica.store.removals().first)
        try await world.replica.store.confirmRemoval(removal.id)
        let owed = "1970-01-01T00:00:00.000Z"
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try await auditedAt()?.string == owed)
        world.transport.heal()
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try #require(try await auditedAt()?.string) > owed)
        try world.expectEqual()
    }

    @Test func syncStateShowsTheTimeOfTheLastAudit() async throws {
        let first = try #require(try await auditedAt()?.string)
        world.clock.advance(.seconds(600))
        try await world.replica.sync()
        #expect(try await auditedAt()?.string == first)
        try await world.replica.sync(SyncRequest(audits: true))
        #expect(try #require(try await auditedAt()?.string) > first)
    }

    @Test func rowsChangedSinceTheLastPullAreNotCountedAsAuditRepairs() async throws {
        try await world.hub.store.update("Holiday", id, ["n": 100])
        let summary = try await world.replica.sync(SyncRequest(audits: true))
        #expect(summary.repaired == 0)
        #expect(summary.warnings.isEmpty)
        try world.expectEqual()
    }

    @Test func auditRepairKeepsPendingLocalChanges() async throws {
        try await editUnseen()
        world.transport.set { method, _, _ in method == "PUT" ? .refused : nil }
        try await world.replica.store.update("Holiday", id, ["name": "ours"])
        try await world.replica.sync(SyncRequest(pushes: false, audits: true))
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 100, "name": "ours"])
        world.transport.heal()
        try await world.replica.sync()
        try world.expectEqual()
    }

    @Test func anAuditComparesTheObjectsOfASubset() async throws {
        try await world.replica.set(["pulls": [["name": "few", "where": ["n": ["$lt": 5]], "keys": ["n"]]]])
        try await world.replica.sync()
        world.clock.turn(by: .seconds(-3600))
        try await world.hub.store.update("Holiday", id, ["n": 3])
        world.clock.turn(by: .seconds(3600))
        #expect(try await world.replica.sync(SyncRequest(audits: true)).repaired == 1)
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 3])
        #expect(try world.replica.store.all("Holiday").count == 5)
    }

    @Test func auditFindsAMissedSoftDeletion() async throws {
        try await world.replica.set(["deletedField": "isDeleted"])
        try await world.replica.sync()
        world.clock.turn(by: .seconds(-3600))
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        world.clock.turn(by: .seconds(3600))
        try await world.replica.sync()
        #expect(try world.replica.store.object("Holiday", id) != nil)
        try await world.replica.sync(SyncRequest(audits: true))
        #expect(try world.replica.store.object("Holiday", id) == nil)
        #expect(try world.replica.store.all("Holiday").count == 11)
    }

    @Test func auditRequestedWithAPushOnlySyncIsRefused() async throws {
        let (status, answer) = try await world.replica.send(
            "POST /sync?wait=true&phase=push&audit=true", clock: world.clock)
        #expect(status == 400)
        #expect(answer["code"] == 102)
    }
}
