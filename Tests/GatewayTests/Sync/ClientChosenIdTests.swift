import ParseModel
import RemoteService
import StoreSupport
import Testing

@testable import Gateway
@testable import SyncEngine

/// Tests object ids that clients of a replica choose for new objects.
@Suite("Object ids that clients of a replica choose")
struct ClientChosenIdTests {
    private func isCreate(_ method: String, _ path: String, _ body: String) -> Bool {
        method == "POST" && path.hasSuffix("/classes/Holiday") && body.contains("settings")
    }

    /// Sends a create to the replica's API. Returns the error code; nil if it succeeds.
    private func code(of body: JSONObject, at replica: SyncedReplica) async throws -> Int? {
        do {
            try await replica.store.create("Holiday", body)
            return nil
        } catch let error as ParseError {
            return error.code.rawValue
        }
    }

    @Test func clientChosenIdIsKeptIfTheRemoteAcceptsIt() async throws {
        let world = try await World.make(allowsChosenIds: true, clientsChooseIds: true)
        #expect(try await world.replica.store.create("Holiday", ["objectId": "settings", "n": 1]) == "settings")
        #expect(try await code(of: ["objectId": "settings"], at: world.replica) == 137)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", "settings") == ["n": 1])
        #expect(try await code(of: ["objectId": "settings"], at: world.replica) == 137)
        try world.expectEqual()
    }

    @Test func clientChosenIdIsRefusedUnlessTheSettingAllowsIt() async throws {
        let world = try await World.make(allowsChosenIds: true)
        #expect(try await code(of: ["objectId": "settings"], at: world.replica) == 105)
    }

    @Test func remoteThatRefusesChosenIdsAssignsAnotherId() async throws {
        let world = try await World.make(isOffline: true, clientsChooseIds: true)
        try await world.replica.store.create("Holiday", ["objectId": "settings", "n": 1])
        world.transport.heal()
        world.clock.advance(.seconds(3600))
        try await world.replica.sync()
        let id = try #require(try world.hub.store.all("Holiday").keys.first)
        #expect(id != "settings")
        #expect(try world.replica.store.fields("Holiday", "settings") == ["n": 1])
        // The replica has learned that the remote refuses chosen ids, so a client gets the error immediately.
        #expect(try await code(of: ["objectId": "other"], at: world.replica) == 105)
        try world.expectEqual()
    }

    @Test func aCreateWithAChosenIdAndALostReplyIsExecutedOnce() async throws {
        let world = try await World.make(allowsChosenIds: true, clientsChooseIds: true)
        try await world.replica.sync()
        world.transport.once(.replyLost, isCreate)
        try await world.replica.store.create("Holiday", ["objectId": "settings", "n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", "settings") == ["n": 1])
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.replica.store.conflicts(resolved: true).isEmpty)
        try world.expectEqual()
    }

    /// The other device's create came first, so the local create becomes an edit of that object. The conflict record
    /// contains the replaced values.
    @Test(arguments: ["merge", "local", "remote"])
    func createWithAnIdTakenByAnotherDeviceFollowsTheConflictPolicy(policy: String) async throws {
        let world = try await World.make(allowsChosenIds: true, clientsChooseIds: true)
        try await world.replica.set(["policy": .string(policy)])
        try await world.replica.sync()
        try await world.hub.store.create("Holiday", ["objectId": "settings", "n": 5, "theirs": 1])
        try await world.replica.store.create("Holiday", ["objectId": "settings", "n": 1, "mine": 1])
        try await world.replica.sync()
        try await world.replica.sync()
        let fields = try #require(try world.hub.store.fields("Holiday", "settings"))
        #expect(fields["n"] == (policy == "remote" ? 5 : 1))
        #expect(fields["theirs"] == 1)
        #expect(fields["mine"] == 1)
        let record = try #require(try world.replica.store.conflicts(resolved: true).first)
        #expect(record.remote?.contains(#""n":5"#) == true)
        #expect(record.local?.contains(#""n":1"#) == true)
        try world.expectEqual()
    }
}
