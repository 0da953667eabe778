import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests a remote that is restored from an older backup. The replica must not delete what the restore has lost.
@Suite("Remotes restored from a backup")
struct RestoredBackupTests {
    private let world: World
    /// The ids of objects that the backup contains.
    private let old: [String]

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"], allowsChosenIds: true)
        var old: [String] = []
        for n in 0..<10 { old.append(try await world.hub.store.create("Holiday", ["n": .int(n)])) }
        try await world.hub.store.create("Country", ["code": "NO"])
        self.old = old
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        world.clock.advance(.seconds(600))
    }

    @discardableResult
    private func sync() async throws -> SyncSummary {
        world.clock.advance(.seconds(60))
        return try await world.replica.sync()
    }

    /// Creates objects locally and syncs, so that the remote acknowledges them. Returns their ids.
    private func make(_ count: Int, of className: String = "Holiday") async throws -> [String] {
        var ids: [String] = []
        for n in 0..<count { ids.append(try await world.replica.store.create(className, ["n": .int(100 + n)])) }
        try await sync()
        return ids
    }

    private func removal() throws -> HeldRemoval {
        let removals = try world.replica.store.removals()
        #expect(removals.count == 1)
        return try #require(removals.first)
    }

    private func decide(keeping isKept: Bool) async throws {
        for removal in try world.replica.store.removals() {
            let way = isKept ? "keep" : "confirm"
            let (status, _) = try await world.replica.send(
                "POST /sync/removals/\(removal.id)/\(way)", clock: world.clock)
            #expect(status == 200)
        }
        for _ in 0..<3 { try await sync() }
    }

    private func expectEqual(_ hub: Hub, _ className: String = "Holiday") throws {
        #expect(try world.replica.store.all(className) == hub.store.all(className))
        #expect(try world.replica.store.removals().isEmpty)
    }

    /// Makes a restored remote that has lost one object and one edit. The older row proves the restore, so a single
    /// missing object is enough.
    private func restoredWithOneEdit() async throws -> (hub: Hub, made: String) {
        let backup = try Backup(of: world.hub)
        let made = try await make(1)[0]
        try await world.replica.store.update("Holiday", old[3], ["name": "mine"])
        try await sync()
        let hub = try backup.restore(in: world)
        #expect(try await sync().removed == 0)
        return (hub, made)
    }

    @Test func oneRowInAnOlderStateProvesARestoredBackupAndLostObjectsWaitForADecision() async throws {
        let (_, made) = try await restoredWithOneEdit()
        let removal = try removal()
        #expect(removal.reason == .restoredBackup)
        #expect(removal.objectIds == [made])
        #expect(removal.olderIds == [old[3]])
        #expect(try world.replica.store.fields("Holiday", old[3])?["name"] == "mine")
        #expect(try world.replica.store.fields("Holiday", made) != nil)
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        #expect(status["removals"] == 1)
        let (_, list) = try await world.replica.send("GET /sync/removals", clock: world.clock)
        let shown = try #require(list["results"]?.array?.first?.object)
        #expect(shown["reason"] == "restoredBackup")
        #expect(shown["objects"] == 2)
        #expect(shown["olderIds"] == [.string(old[3])])
        for _ in 0..<3 { #expect(try await sync().heldBack == 2) }
    }

    /// - Parameter reappears: whether the restore also brings back an object that the replica has deleted.
    @Test(arguments: [false, true]) func restoredBackupIsDetectedDespiteNewerObjects(reappears: Bool) async throws {
        let backup = try Backup(of: world.hub)
        let made = try await make(reappears ? 2 : 1)
        try await world.replica.store.update("Holiday", old[3], ["name": "mine"])
        if reappears { try await world.replica.store.delete("Holiday", old[2]) }
        try await sync()
        let hub = try backup.restore(in: world)
        world.clock.advance(.seconds(60))
        try await hub.store.create("Holiday", ["n": 200])
        // In this sync, the pull succeeds and the search for missing objects fails.
        world.transport.once(.replyLost) { method, path, _ in method == "GET" && path.hasSuffix("/classes/Holiday") }
        world.clock.advance(.seconds(60))
        guard case .failed = await world.replica.attempt(.full) else {
            Issue.record("the sync does not fail")
            return
        }
        #expect(try await sync().removed == 0)
        #expect(try removal().reason == .restoredBackup)
        #expect(try removal().objectIds == made.sorted())
    }

    @Test func localObjectsKeptAfterARestoredBackupAreSentAgain() async throws {
        let (hub, made) = try await restoredWithOneEdit()
        try await decide(keeping: true)
        #expect(try hub.store.fields("Holiday", old[3])?["name"] == "mine")
        #expect(try hub.store.fields("Holiday", made)?["n"] == 100)
        try expectEqual(hub)
    }

    @Test func confirmedRestoredBackupReplacesTheLocalStates() async throws {
        let (hub, made) = try await restoredWithOneEdit()
        try await decide(keeping: false)
        #expect(try world.replica.store.fields("Holiday", made) == nil)
        #expect(try world.replica.store.fields("Holiday", old[3])?["name"] == nil)
        try expectEqual(hub)
    }

    @Test func editsAfterARestoredBackupSurviveBothDecisions() async throws {
        for isKept in [true, false] {
            let world = try await RestoredBackupTests()
            let (hub, _) = try await world.restoredWithOneEdit()
            world.world.clock.advance(.seconds(30))
            try await hub.store.update("Holiday", world.old[3], ["place": "theirs"])
            try await world.sync()
            #expect(try world.world.replica.store.fields("Holiday", world.old[3])?["name"] == "mine")
            try await world.decide(keeping: isKept)
            let fields = try #require(try hub.store.fields("Holiday", world.old[3]))
            #expect(fields["place"] == "theirs")
            #expect(fields["name"] == (isKept ? "mine" : nil))
            try world.expectEqual(hub)
        }
    }

    /// The row was changed so long ago that neither pulls nor the audit of the newest rows read it.
    @Test func editLostByARestoredBackupIsDetectedWithinMinutes() async throws {
        world.clock.advance(.seconds(8000))
        try await sync()
        let backup = try Backup(of: world.hub)
        try await world.replica.store.update("Holiday", old[3], ["name": "mine"])
        try await sync()
        _ = try backup.restore(in: world)
        for _ in 0..<7 { try await sync() }
        #expect(try removal().olderIds == [old[3]])
        #expect(try world.replica.store.fields("Holiday", old[3])?["name"] == "mine")
    }

    /// The server's clock header has whole seconds. The edit can have a later time than the pull that showed it.
    @Test func lostEditInTheSecondOfTheLastPullProvesARestoredBackup() async throws {
        let backup = try Backup(of: world.hub)
        let made = try await world.hub.store.create("Holiday", ["n": 100])
        world.clock.advance(.milliseconds(60_200))
        try await world.hub.store.update("Holiday", old[3], ["name": "theirs"])
        try await world.replica.sync()
        let hub = try backup.restore(in: world)
        #expect(try await sync().removed == 0)
        #expect(try removal().objectIds == [made])
        #expect(try removal().olderIds == [old[3]])
        #expect(try world.replica.store.fields("Holiday", old[3])?["name"] == "theirs")
        try await decide(keeping: true)
        try expectEqual(hub)
    }

    /// If the edit were sent, its new row would hide that the remote's row was older.
    @Test func localEditsOfObjectsLostByARestoredBackupWaitForTheDecision() async throws {
        let (hub, made) = try await restoredWithOneEdit()
        try await world.replica.store.update("Holiday", old[3], ["later": 1])
        try await world.replica.store.update("Holiday", made, ["later": 2])
        try await world.replica.store.update("Holiday", old[4], ["later": 3])
        try await sync()
        #expect(try hub.store.fields("Holiday", old[3])?["later"] == nil)
        #expect(try hub.store.fields("Holiday", old[4])?["later"] == 3)
        try await decide(keeping: true)
        #expect(try hub.store.fields("Holiday", old[3])?["later"] == 1)
        #expect(try hub.store.fields("Holiday", made)?["later"] == 2)
        try expectEqual(hub)
    }

    @Test func restoredBackupIsDetectedBeforeAPendingEditIsSent() async throws {
        let backup = try Backup(of: world.hub)
        try await world.replica.store.update("Holiday", old[3], ["name": "mine"])
        try await sync()
        let hub = try backup.restore(in: world)
        try await world.replica.store.update("Holiday", old[3], ["place": "here"])
        try await sync()
        #expect(try hub.store.fields("Holiday", old[3]) == ["n": 3])
        #expect(try removal().olderIds == [old[3]])
        try await decide(keeping: true)
        #expect(try hub.store.fields("Holiday", old[3]) == ["n": 3, "name": "mine", "place": "here"])
    }

    /// The remote shows the older row again. It does not show whether the deletion was executed, so it is sent again.
    @Test(arguments: [HandlerTransport.Fault.replyLost, .requestLost])
    func deletionWithoutAnAnswerIsSentAgainAfterARestoredBackup(fault: HandlerTransport.Fault) async throws {
        let backup = try Backup(of: world.hub)
        try await world.replica.store.update("Holiday", old[3], ["name": "mine"])
        try await sync()
        try await world.replica.store.delete("Holiday", old[3])
        world.transport.set { [transport = world.transport] method, _, _ in
            method == "DELETE" ? fault : transport.requests.contains { $0.hasPrefix("DELETE") } ? .refused : nil
        }
        world.clock.advance(.seconds(60))
        _ = try await world.replica.failingSync()
        world.transport.heal()
        let hub = try backup.restore(in: world)
        for _ in 0..<2 { try await sync() }
        #expect(try hub.store.fields("Holiday", old[3]) == nil)
        #expect(try await world.replica.store.figures().pending == 0)
        try expectEqual(hub)
    }

    /// The user decides about the older rows before the sync has read all missing objects.
    @Test func objectsMissingAfterARestoredBackupWaitEvenIfOlderRowsAreDecided() async throws {
        let backup = try Backup(of: world.hub)
        let made = try await make(1)[0]
        try await world.replica.store.update("Holiday", old[3], ["name": "mine"])
        try await sync()
        let hub = try backup.restore(in: world)
        try await world.replica.store.update("Holiday", old[3], ["place": "here"])
        try await world.replica.sync(SyncRequest(pulls: false))
        #expect(try removal().olderIds == [old[3]])
        try await world.replica.store.keepRemoval(try removal().id)
        #expect(try await sync().removed == 0)
        #expect(try removal().objectIds == [made])
        try await decide(keeping: true)
        try expectEqual(hub)
    }

    /// The object is outside the new subset, so only a read by its id shows that the remote has lost it.
    @Test func objectLostByARestoredBackupOutsideTheSubsetsWaitsForADecision() async throws {
        let backup = try Backup(of: world.hub)
        let made = try await make(1)[0]
        try await world.replica.store.update("Holiday", old[3], ["name": "mine"])
        try await sync()
        let hub = try backup.restore(in: world)
        try await world.replica.set(["pulls": [["name": "few", "where": ["n": ["$lt": 5]]]]])
        for _ in 0..<3 { #expect(try await sync().removed == 0) }
        #expect(try removal().objectIds == [made])
        #expect(try world.replica.store.all("Holiday").count == 6)
        try await decide(keeping: true)
        #expect(try hub.store.fields("Holiday", made)?["n"] == 100)
        #expect(try hub.store.fields("Holiday", old[3])?["name"] == "mine")
        #expect(try world.replica.store.all("Holiday").count == 5)
    }

    @Test func restoredBackupProvenByOneClassProtectsLostObjectsOfAllClasses() async throws {
        let backup = try Backup(of: world.hub)
        let country = try await make(1, of: "Country")[0]
        try await world.replica.store.update("Holiday", old[0], ["name": "mine"])
        try await sync()
        let hub = try backup.restore(in: world)
        try await sync()
        #expect(Set(try world.replica.store.removals().map(\.className)) == ["Country", "Holiday"])
        #expect(try world.replica.store.fields("Country", country) != nil)
        try await decide(keeping: true)
        try expectEqual(hub)
        try expectEqual(hub, "Country")
    }

    @Test func newestAcknowledgedObjectsAreReadInOneRequest() async throws {
        let backup = try Backup(of: world.hub)
        let country = try #require(try world.hub.store.all("Country").keys.first)
        _ = try await make(1)
        try await world.replica.store.update("Country", country, ["name": "mine"])
        try await sync()
        _ = try backup.restore(in: world)
        _ = world.transport.takeSent()
        try await sync()
        let readBacks = world.transport.takeSent().filter { $0.body.contains("Country") && $0.body.contains(country) }
        #expect(readBacks.filter { $0.body.contains("Holiday") }.count == 1)
        #expect(try world.replica.store.removals().count == 2)
    }

    // MARK: Missing objects without proof of a restore

    @Test func threeMissingNewestObjectsWaitForADecisionAsASuspectedRestoredBackup() async throws {
        let backup = try Backup(of: world.hub)
        let made = try await make(3)
        let hub = try backup.restore(in: world)
        #expect(try await sync().removed == 0)
        #expect(Set(try removal().objectIds) == Set(made))
        try await decide(keeping: true)
        #expect(try hub.store.all("Holiday").count == 13)
        try expectEqual(hub)
    }

    @Test func oneMissingNewestObjectCountsAsDeleted() async throws {
        let made = try await make(1)[0]
        try await world.hub.store.delete("Holiday", made)
        #expect(try await sync().removed == 1)
        try expectEqual(world.hub)
    }

    @Test func twoMissingNewestObjectsCountAsDeleted() async throws {
        for id in try await make(2) { try await world.hub.store.delete("Holiday", id) }
        #expect(try await sync().removed == 2)
        try expectEqual(world.hub)
    }

    @Test func missingNewestObjectsCountAsDeletedIfAnOlderOneIsMissing() async throws {
        for id in try await make(3) + [old[9]] { try await world.hub.store.delete("Holiday", id) }
        #expect(try await sync().removed >= 3)
        try await sync()
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try world.replica.store.all("Holiday").count == 9)
    }

    /// The newest objects came from the remote, for example by an import that its author undoes.
    @Test func missingNewestObjectsThatWereNeverAcknowledgedCountAsDeleted() async throws {
        var ids: [String] = []
        for n in 0..<5 { ids.append(try await world.hub.store.create("Holiday", ["n": .int(n)])) }
        try await sync()
        for id in ids { try await world.hub.store.delete("Holiday", id) }
        #expect(try await sync().removed == 5)
        try expectEqual(world.hub)
    }

    // MARK: Cases that look like a restore

    /// The missing rows return unchanged: the replica was temporarily connected to another server.
    @Test func objectsThatReappearAfterARestoredBackupNeedNoDecision() async throws {
        _ = try await restoredWithOneEdit()
        world.transport.use(world.hub.api)
        try await sync()
        try await world.replica.sync(SyncRequest(audits: true))
        try expectEqual(world.hub)
        #expect(try await world.replica.store.figures().removals == 0)
    }

    @Test func rowCommittedWithAnEarlierTimestampIsAppliedAndProvesNoRestore() async throws {
        try await world.hub.store.update("Holiday", old[1], ["name": "second"])
        try await sync()
        world.clock.turn(by: .seconds(-65))
        let world = try await World.make(keepsStampsInOrder: false)
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        world.clock.advance(.seconds(60))
        try await world.hub.store.update("Holiday", id, ["name": "second"])
        try await world.replica.sync()
        world.clock.turn(by: .seconds(-5))
        try await world.hub.store.update("Holiday", id, ["place": "late"])
        world.clock.turn(by: .seconds(5))
        try await world.replica.sync()
        #expect(try world.replica.store.removals().isEmpty)
        try world.expectEqual()
    }
}
