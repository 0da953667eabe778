import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests edits by other devices that the replica learns of together with the outcome of an unanswered request. They
/// must not be overwritten silently.
@Suite("Edits by other devices around lost replies")
struct OthersEditTests {
    private let world: World
    private let id: String

    init() async throws {
        world = try await World.make()
        id = try await world.hub.store.create("Holiday", ["n": 1, "name": "a"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    /// Sends the pending change with a fault, after which the remote is unreachable.
    private func syncAndLose(_ fault: HandlerTransport.Fault) async throws {
        world.transport.set { [transport = world.transport] method, _, body in
            if method == "PUT" { return fault }
            return transport.requests.contains { $0.hasPrefix("PUT") } ? .refused : nil
        }
        _ = try await world.replica.failingSync()
        world.transport.heal()
    }

    private func expectRecord(of theirs: String) throws {
        let record = try #require(try world.replica.store.conflicts(resolved: true).first { $0.kind == .fields })
        #expect(record.fields == ["name"])
        #expect(record.resolution == "local")
        #expect(record.remote?.contains(theirs) == true)
        #expect(try world.hub.store.fields("Holiday", id)?["name"] == "mine")
        try world.expectEqual()
    }

    @Test func editByOthersFoundInTheRowThatProvesALostRequestIsRecordedAsAConflict() async throws {
        try await world.replica.store.update("Holiday", id, ["n": 2])
        try await syncAndLose(.replyLost)
        try await world.replica.store.update("Holiday", id, ["name": "mine"])
        try await world.hub.store.update("Holiday", id, ["name": "theirs"])
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        try expectRecord(of: "theirs")
    }

    @Test func editByOthersDuringAConflictAboutALostRequestIsRecordedAsAConflict() async throws {
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 1]])
        try await syncAndLose(.replyLost)
        try await world.replica.store.update("Holiday", id, ["name": "mine"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        try await world.hub.store.update("Holiday", id, ["name": "theirs"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        let question = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(question.kind == .wasThisApplied)
        try await world.replica.store.resolveConflict(question.id, keep: "applied", fields: nil)
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 2)
        try expectRecord(of: "theirs")
    }

    /// Two replicas recreate the same deleted object under its id. The row does not prove which of them created it.
    @Test func objectRecreatedByAnotherDeviceDuringALostRecreateIsAConflict() async throws {
        let world = try await World.make(allowsChosenIds: true)
        try await world.replica.set(["policy": "local"])
        let id = try await world.hub.store.create("Holiday", ["name": "a", "n": 1])
        for n in 0..<4 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.replica.store.update("Holiday", id, ["name": "mine"])
        try await world.hub.store.delete("Holiday", id)
        // The local request to recreate the object is lost. Another client has recreated it since.
        world.transport.once(.requestLost) { method, _, body in method == "POST" && body.contains("mine") }
        _ = await world.replica.engine.startAndWait()
        try await world.hub.store.create("Holiday", ["objectId": .string(id), "name": "theirs", "n": 1])
        for _ in 0..<3 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.fields("Holiday", id)?["name"] == "theirs")
        let question = try #require(try world.replica.store.conflicts(resolved: false).first)
        #expect(question.kind == .ambiguousCreate)
        #expect(question.remote?.contains("theirs") == true)
        try await world.replica.store.resolveConflict(question.id, keep: "sendAgain", fields: nil)
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "mine", "n": 1])
        try world.expectEqual()
    }
}
