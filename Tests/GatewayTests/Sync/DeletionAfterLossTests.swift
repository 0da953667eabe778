import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

/// Tests local deletions of an object while the outcome of its earlier change is unknown.
@Suite("Local deletion after a change of unknown outcome")
struct DeletionAfterLossTests {
    private let world: World
    private let id: String

    init() async throws {
        world = try await World.make()
        id = try await world.hub.store.create("Holiday", ["n": 1])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    /// Sends an increment with a fault, after which the remote is unreachable, and then deletes the object locally.
    private func incrementAndDelete(_ fault: HandlerTransport.Fault) async throws {
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 1]])
        world.transport.set { [transport = world.transport] method, _, _ in
            method == "PUT" ? fault : transport.requests.contains { $0.hasPrefix("PUT") } ? .refused : nil
        }
        _ = try await world.replica.failingSync()
        try await world.replica.store.delete("Holiday", id)
        world.transport.heal()
        world.clock.advance(.seconds(30))
    }

    private func syncWithoutConflict() async throws {
        for _ in 0..<2 {
            try await world.replica.sync()
            #expect(try world.replica.store.object("Holiday", id) == nil)
        }
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.hub.store.all("Holiday").isEmpty)
    }

    @Test func deletionAfterAnIncrementWithALostReplyIsNoConflict() async throws {
        try await incrementAndDelete(.replyLost)
        try await syncWithoutConflict()
    }

    /// Neither operation ids nor unpulled fields in the remote's row count as another client's edits.
    @Test(arguments: [["opField": "ops"], ["pulls": [["name": "numbers", "keys": ["n"]]]]] as [JSONObject])
    func unpulledFieldsAndOperationIdsDoNotCountAsRemoteEdits(_ options: JSONObject) async throws {
        try await world.hub.store.update("Holiday", id, ["name": "theirs"])
        try await world.replica.set(options)
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        try await incrementAndDelete(.replyLost)
        try await syncWithoutConflict()
    }

    @Test func deletionAfterAnIncrementWithALostRequestIsNoConflict() async throws {
        try await incrementAndDelete(.requestLost)
        try await syncWithoutConflict()
    }

    @Test(arguments: [HandlerTransport.Fault.replyLost, .requestLost])
    func deletionOnBothSidesAfterALostRequestIsNoConflict(fault: HandlerTransport.Fault) async throws {
        try await incrementAndDelete(fault)
        try await world.hub.store.delete("Holiday", id)
        try await syncWithoutConflict()
    }

    @Test(arguments: [HandlerTransport.Fault.replyLost, .requestLost])
    func editByAnotherDeviceBeforeALocalDeletionIsAnOpenConflict(fault: HandlerTransport.Fault) async throws {
        try await incrementAndDelete(fault)
        try await world.hub.store.update("Holiday", id, ["name": "theirs"])
        try await world.replica.sync()
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(conflict.kind == .deletedLocally)
        #expect(try world.replica.store.fields("Holiday", id)?["name"] == "theirs")
        try await world.replica.store.resolveConflict(conflict.id, keep: "local", fields: nil)
        try await syncWithoutConflict()
    }

    /// Later changes by other clients appear in the conflict, because sending the request again would overwrite them.
    @Test func conflictAboutALostRequestShowsLaterRemoteEdits() async throws {
        let increment: JSONObject = ["n": ["__op": "Increment", "amount": 1], "name": "mine"]
        world.transport.once(.requestLost) { method, _, _ in method == "PUT" }
        try await world.replica.store.update("Holiday", id, increment)
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.hub.store.update("Holiday", id, ["other": 1])
        try await world.replica.sync()
        let asked = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(asked.kind == .wasThisApplied)
        try await world.hub.store.update("Holiday", id, ["name": "theirs"])
        try await world.replica.sync()
        let conflict = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(conflict.id == asked.id)
        #expect(conflict.remote?.contains("theirs") == true)
    }
}
