import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

/// Tests servers that mistakenly answer with status 200 and no objects: they were restored empty, lost their database,
/// or have changed permissions.
@Suite("Mistakenly empty lists of the remote")
struct EmptyListTests {
    private static let increment: JSONObject = ["n": ["__op": "Increment", "amount": 1]]

    private let world: World
    private let ids: [String]

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"])
        var ids: [String] = []
        for number in 0..<8 { ids.append(try await world.hub.store.create("Holiday", ["n": .int(number)])) }
        self.ids = ids
        try await world.hub.store.create("Country", ["code": "NO"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    private func syncWithoutSeeing() async {
        world.transport.showNothing()
        _ = await world.replica.engine.startAndWait()
    }

    private func heal() async throws {
        world.transport.heal()
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.replica.store.removals().isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
    }

    @Test func pendingDeletionIsSentAfterMistakenlyEmptyRemoteLists() async throws {
        for id in ids.prefix(3) { try await world.replica.store.delete("Holiday", id) }
        await syncWithoutSeeing()
        try await heal()
        #expect(try world.hub.store.all("Holiday").count == 5)
        try world.expectEqual()
    }

    @Test(arguments: ConflictPolicy.allCases) func pendingEditsAreKeptDuringMistakenlyEmptyRemoteLists(
        policy: ConflictPolicy
    ) async throws {
        try await world.replica.store.configureClass("Holiday") { options, _ in options.policy = policy }
        for id in ids.prefix(6) { try await world.replica.store.update("Holiday", id, ["name": "mine"]) }
        await syncWithoutSeeing()
        #expect(try world.replica.store.all("Holiday").count == 8)
        try await heal()
        #expect(try world.hub.store.all("Holiday").values.count { $0["name"] == "mine" } == 6)
        #expect(try world.replica.store.conflicts(resolved: true).isEmpty)
        try world.expectEqual()
    }

    @Test func removalOfTheOnlyObjectOfAClassWaitsForADecision() async throws {
        await syncWithoutSeeing()
        #expect(try world.replica.store.all("Country").count == 1)
        #expect(Set(try world.replica.store.removals().map(\.className)) == ["Country", "Holiday"])
        try await heal()
        try world.expectEqual("Country")
    }

    /// The replica's only object is missing from an empty list for a while. An object that reappears is pulled again.
    @Test func onlyObjectOfAClassReturnsAfterAMistakenlyEmptyRemoteList() async throws {
        let world = try await World.make()
        let id = try await world.hub.store.create("Holiday", ["n": 1])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        world.transport.showNothing()
        try await world.replica.sync()
        world.transport.heal()
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 1])
        try world.expectEqual()
    }

    @Test func classThatStaysEmptyAtTheRemoteIsEmptiedLocally() async throws {
        for id in try world.hub.store.all("Country").keys { try await world.hub.store.delete("Country", id) }
        #expect(try await world.replica.sync().removed == 1)
        #expect(try world.replica.store.all("Country").isEmpty)
    }

    @Test func incrementOfUnknownOutcomeSurvivesAMistakenlyEmptyRemoteList() async throws {
        try await world.replica.store.update("Holiday", ids[0], Self.increment)
        world.transport.once(.replyLost) { method, _, _ in method == "PUT" }
        _ = await world.replica.engine.startAndWait(SyncRequest(pulls: false))
        try await world.replica.store.update("Holiday", ids[1], Self.increment)
        world.clock.advance(.seconds(30))
        await syncWithoutSeeing()
        #expect(try world.replica.store.conflicts(resolved: false).allSatisfy { $0.kind == .wasThisApplied })
        world.transport.heal()
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        for conflict in try world.replica.store.conflicts(resolved: false) {
            try await world.replica.store.resolveConflict(conflict.id, keep: "applied", fields: nil)
        }
        try await heal()
        #expect(try world.hub.store.fields("Holiday", ids[0])?["n"] == 1)
        #expect(try world.hub.store.fields("Holiday", ids[1])?["n"] == 2)
    }

    @Test func createOfUnknownOutcomeIsNotSentAgainAfterAnEmptyRemoteList() async throws {
        try await world.replica.store.create("Holiday", ["name": "new"])
        world.transport.set { [transport = world.transport] method, _, body in
            if method == "POST", body.contains("new") { return .replyLost }
            return transport.requests.contains { $0.hasPrefix("POST") && $0.hasSuffix("/Holiday") } ? .refused : nil
        }
        _ = try await world.replica.failingSync()
        world.clock.advance(.seconds(30))
        await syncWithoutSeeing()
        try await heal()
        #expect(try world.hub.store.all("Holiday").count == 9)
        try world.expectEqual()
    }

    @Test func singleEmptyRemoteListIsRequestedAgain() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["name": "mine"])
        world.transport.once(.answer(status: 200, body: #"{"results":[]}"#)) { method, _, _ in method == "GET" }
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", ids[0])?["name"] == "mine")
        #expect(try world.replica.store.conflicts(resolved: true).isEmpty)
        try await heal()
        try world.expectEqual()
    }

    /// A create of unknown outcome is searched for before its class is pulled. If the class's only known object was
    /// deleted, this search alone finds that it is missing.
    @Test func remoteDeletionOfTheOnlyObjectDoesNotBlockACreateOfUnknownOutcome() async throws {
        let world = try await World.make()
        let known = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        try await world.replica.store.sync.setRemoteAcceptsChosenIds(false)
        world.clock.advance(.seconds(30))
        try await world.replica.store.create("Holiday", ["name": "new"])
        world.transport.set { [transport = world.transport] method, path, _ in
            let create = "POST /classes/Holiday"
            if "\(method) \(path)" == create { return .requestLost }
            return transport.requests.contains(create) ? .refused : nil
        }
        _ = await world.replica.engine.startAndWait()
        world.transport.heal()
        try await world.hub.store.delete("Holiday", known)
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            _ = await world.replica.engine.startAndWait()
        }
        #expect(try world.hub.store.all("Holiday").isEmpty)
        let removal = try #require(try world.replica.store.removals().first)
        #expect(removal.objectIds == [known])
        try await world.replica.store.confirmRemoval(removal.id)
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.all("Holiday").values.map { $0["name"] } == ["new"])
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual()
    }

    /// The update of an object waits for the create of another object, so no push finds that the updated object was
    /// deleted. The object matches no pull either, and it is the only one by which an empty list can be tested.
    @Test func remoteDeletionOfAnObjectInNoSubsetDoesNotBlockACreateOfUnknownOutcome() async throws {
        let world = try await World.make(classes: ["Holiday", "Country"])
        try await world.replica.set(["pulls": [["name": "few", "where": ["n": ["$lt": 5]]]]])
        let known = try await world.hub.store.create("Holiday", ["n": 1])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        try await world.replica.store.sync.setRemoteAcceptsChosenIds(false)
        let country = try await world.replica.store.create("Country", ["code": "NO"])
        let pointer: JSONObject = ["__type": "Pointer", "className": "Country", "objectId": .string(country)]
        try await world.replica.store.update("Holiday", known, ["country": .object(pointer)])
        try await world.hub.store.update("Holiday", known, ["n": 9])
        world.clock.advance(.seconds(30))
        _ = await world.replica.engine.startAndWait(SyncRequest(pushes: false))
        world.transport.set { [transport = world.transport] method, path, _ in
            let create = "POST /classes/Country"
            if "\(method) \(path)" == create { return .requestLost }
            return transport.requests.contains(create) ? .refused : nil
        }
        _ = await world.replica.engine.startAndWait()
        world.transport.heal()
        #expect(try world.hub.store.all("Country").isEmpty)
        try await world.hub.store.delete("Holiday", known)
        for _ in 0..<3 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.all("Country").values.map { $0["code"] } == ["NO"])
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedRemotely)
        try await world.replica.store.resolveConflict(conflict.id, keep: "remote", fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.all("Holiday").isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual("Country")
    }

    /// No pull and no count shows whether the remote still has an object that matches no subset.
    @Test func removalOfAnEditedObjectInNoSubsetWaitsUntilTheObjectReappears() async throws {
        try await world.replica.store.update("Holiday", ids[7], ["name": "mine"])
        try await world.replica.set(["pulls": [["name": "few", "where": ["n": ["$lt": 5]]]]])
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            _ = await world.replica.engine.startAndWait(SyncRequest(pushes: false))
        }
        world.transport.showNothing()
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            _ = await world.replica.engine.startAndWait(SyncRequest(pushes: false))
            let removal = try #require(try world.replica.store.removals().first { $0.className == "Holiday" })
            #expect(removal.objectIds.contains(ids[7]))
        }
        try await heal()
        #expect(try world.hub.store.fields("Holiday", ids[7])?["name"] == "mine")
        #expect(try world.hub.store.all("Holiday").count == 8)
    }

    /// A decision about a removal of missing objects does not affect objects with later local changes.
    @Test func pendingDeletionIsSentWhateverIsDecidedAboutTheMissingObject() async throws {
        for confirms in [true, false] {
            let id = ids[confirms ? 0 : 1]
            try await world.replica.store.delete("Holiday", id)
            world.transport.showNothing()
            _ = await world.replica.engine.startAndWait(SyncRequest(pushes: false))
            let removal = try #require(try world.replica.store.removals().first { $0.objectIds.contains(id) })
            if confirms {
                try await world.replica.store.confirmRemoval(removal.id)
            } else {
                try await world.replica.store.keepRemoval(removal.id)
            }
            try await heal()
            #expect(try world.hub.store.fields("Holiday", id) == nil)
        }
    }
}
