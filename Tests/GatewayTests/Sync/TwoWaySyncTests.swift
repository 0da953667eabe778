import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

@Suite("Two-way sync")
struct TwoWaySyncTests {
    @Test func aFirstSyncPullsAllRowsDespiteShortPages() async throws {
        let world = try await World.make(pageMax: 7)
        for n in 0..<40 { try await world.hub.store.create("Holiday", ["name": .string("n\(n)")]) }
        try await world.replica.sync()
        #expect(try world.replica.store.all("Holiday").count == 40)
        try world.expectEqual()
        let status = try await world.replica.store.figures()
        #expect(status.classes.first { $0.name == "Holiday" }?.initialSyncComplete == true)
    }

    @Test func aSyncWithoutChangesTakesOneRequest() async throws {
        let world = try await World.make(classes: ["Holiday", "Birthday"])
        try await world.hub.store.create("Holiday", ["name": "a"])
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try await world.replica.sync().requests == 1)
    }

    @Test func remoteCreatesUpdatesAndDeletionsArriveInTheReplica() async throws {
        let world = try await World.make()
        let kept = try await world.hub.store.create("Holiday", ["name": "kept", "n": 1])
        let doomed = try await world.hub.store.create("Holiday", ["name": "doomed"])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.hub.store.update("Holiday", kept, ["n": 2])
        try await world.hub.store.delete("Holiday", doomed)
        let summary = try await world.replica.sync()
        #expect(summary.removed == 1)
        #expect(try world.replica.store.fields("Holiday", kept) == ["name": "kept", "n": 2])
        #expect(try world.replica.store.object("Holiday", doomed) == nil)
        try world.expectEqual()
    }

    @Test func localCreatesUpdatesAndDeletionsReachTheRemote() async throws {
        let world = try await World.make()
        let edited = try await world.hub.store.create("Holiday", ["name": "edited"])
        let doomed = try await world.hub.store.create("Holiday", ["name": "doomed"])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        let made = try await world.replica.store.create("Holiday", ["name": "made here"])
        try await world.replica.store.update("Holiday", edited, ["name": "edited here"])
        try await world.replica.store.delete("Holiday", doomed)
        #expect(try world.replica.store.state("Holiday", made) == .created)
        #expect(try world.replica.store.state("Holiday", edited) == .updated)
        let summary = try await world.replica.sync()
        #expect(summary.pushed == 3)
        // The next pull returns the replica's own changes, which causes no further change.
        #expect(summary.pulled == 0)
        #expect(
            Set(try world.hub.store.all("Holiday").values.compactMap { $0["name"]?.string }) == [
                "made here", "edited here",
            ])
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.replica.store.state("Holiday", edited) == .synced)
        try world.expectEqual()
    }

    @Test func aRemoteThatAssignsIdsKeepsTheLocalIdAsAnAlias() async throws {
        let world = try await World.make(classes: ["Holiday", "Country"])
        try await world.replica.sync()
        let local = try await world.replica.store.create("Holiday", ["name": "a"])
        let pointing = try await world.replica.store.create(
            "Country", ["list": [Pointer(className: "Holiday", objectId: local).json]])
        try await world.replica.sync()
        let remote = try #require(try world.hub.store.all("Holiday").keys.first)
        #expect(remote != local)
        #expect(try world.replica.store.object("Holiday", local)?.objectId == remote)
        try await world.replica.store.update("Holiday", local, ["name": "b"])
        let onHub = try #require(try world.hub.store.all("Country").values.first)
        #expect(onHub["list"] == [Pointer(className: "Holiday", objectId: remote).json])
        #expect(try world.replica.store.object("Country", pointing) != nil)
        let found = try world.replica.store.find(
            "Country",
            ParseQuery(
                predicate: .field(
                    try FieldPath("list"), .equal(Pointer(className: "Holiday", objectId: local).json))))
        #expect(found.objects.count == 1)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", remote) == ["name": "b"])
        try world.expectEqual("Country")
    }

    @Test func aRemoteThatAcceptsChosenIdsKeepsTheLocalId() async throws {
        let world = try await World.make(allowsChosenIds: true)
        let local = try await world.replica.store.create("Holiday", ["name": "a"])
        try await world.replica.sync()
        #expect(try world.hub.store.object("Holiday", local) != nil)
        try world.expectEqual()
    }

    @Test func objectsThatPointToEachOtherArePushedInTwoSteps() async throws {
        let world = try await World.make(classes: ["A", "B"])
        let a = try await world.replica.store.create("A", ["name": "a"])
        let b = try await world.replica.store.create("B", ["a": Pointer(className: "A", objectId: a).json])
        try await world.replica.store.update("A", a, ["b": Pointer(className: "B", objectId: b).json])
        try await world.replica.sync()
        let hubA = try #require(try world.hub.store.all("A").first)
        let hubB = try #require(try world.hub.store.all("B").first)
        #expect(hubA.value["b"] == Pointer(className: "B", objectId: hubB.key).json)
        #expect(hubB.value["a"] == Pointer(className: "A", objectId: hubA.key).json)
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual("A")
        try world.expectEqual("B")
    }

    @Test func millisecondsOfDatesSurviveASync() async throws {
        let world = try await World.make()
        let date: JSONValue = ["__type": "Date", "iso": "2012-12-25T01:02:03.456Z"]
        let id = try await world.hub.store.create("Holiday", ["date": date])
        try await world.replica.sync()
        #expect(try world.replica.store.fields("Holiday", id)?["date"] == date)
        try world.expectEqual()
    }

    @Test func aClassThatWasOnlyWrittenToIsPushedAndNotPulled() async throws {
        let world = try await World.make()
        try await world.hub.store.create("Note", ["text": "theirs"])
        try await world.replica.store.create("Note", ["text": "ours"])
        try await world.replica.sync()
        #expect(try world.hub.store.all("Note").count == 2)
        #expect(try world.replica.store.all("Note").count == 1)
    }

    @Test func incrementsOfTwoReplicasAddUpAtTheRemote() async throws {
        let world = try await World.make()
        let id = try await world.hub.store.create("Holiday", ["n": 10])
        let other = try await world.another()
        try await world.replica.sync()
        try await other.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 1]])
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 2]])
        try await other.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 10]])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await other.replica.sync()
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 23])
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 23])
        #expect(try other.replica.store.fields("Holiday", id) == ["n": 23])
    }

    @Test func pausedReplicaAnswersRequestsAndSyncsWhenResumed() async throws {
        let world = try await World.make()
        try await world.replica.sync()
        try await world.replica.engine.pause()
        try await world.replica.store.create("Holiday", ["name": "offline"])
        guard case .paused = await world.replica.engine.startAndWait() else {
            Issue.record("a paused replica has synced")
            return
        }
        #expect(try world.hub.store.all("Holiday").isEmpty)
        try await world.replica.engine.resume()
        try await world.replica.sync()
        try world.expectEqual()
    }
}
