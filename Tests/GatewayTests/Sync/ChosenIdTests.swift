import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

/// Tests creates with a chosen id and a lost reply. Another client may have created an object with the same id.
@Suite("Creates with chosen ids and lost replies")
struct ChosenIdTests {
    private let world: World

    init() async throws {
        world = try await World.make(allowsChosenIds: true, clientsChooseIds: true)
        try await world.hub.store.create("Holiday", ["n": 0])
        try await world.replica.sync()
        try await world.replica.store.sync.setRemoteAcceptsChosenIds(true)
        world.clock.advance(.seconds(30))
    }

    /// Sends a create that arrives and whose answer is lost. Other clients edit the object before the next read.
    private func createAndLose(edit: Bool = true) async throws {
        try await world.replica.store.create("Holiday", ["objectId": "x1", "n": 5, "items": ["a"]])
        world.transport.set { [transport = world.transport] method, path, _ in
            let create = "POST /classes/Holiday"
            if "\(method) \(path)" == create { return .replyLost }
            return transport.requests.contains(create) ? .refused : nil
        }
        _ = await world.replica.engine.startAndWait()
        world.transport.heal()
        world.clock.advance(.seconds(1))
        guard edit else { return }
        try await world.hub.store.update(
            "Holiday", "x1",
            ["n": ["__op": "Increment", "amount": 7], "items": ["__op": "Add", "objects": ["b"]]])
    }

    private func sync(_ times: Int = 2) async throws {
        for _ in 0..<times {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
    }

    private func question() throws -> ListedConflict {
        let open = try world.replica.store.conflicts(resolved: false)
        #expect(open.map(\.kind) == [.ambiguousCreate])
        return try #require(open.first)
    }

    private func expectOthersEdits(n: Int = 12) throws {
        let made = try #require(try world.hub.store.fields("Holiday", "x1"))
        #expect(made["n"] == .int(n))
        #expect(made["items"] == ["a", "b"])
    }

    @Test(arguments: ConflictPolicy.allCases) func createWithAChosenIdAndALostReplyKeepsEditsByOthers(
        policy: ConflictPolicy
    ) async throws {
        try await world.replica.set(["policy": .string(policy.rawValue)])
        try await createAndLose()
        try await sync()
        try expectOthersEdits()
        let question = try question()
        #expect(question.objectId == "x1")
        try await world.replica.store.resolveConflict(question.id, keep: "applied", fields: nil)
        try await sync()
        try expectOthersEdits()
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual()
    }

    /// The remote no longer accepts chosen ids, which the replica learns while three batches are on their way.
    @Test func createsAreSentWithoutIdsOnceTheRemoteRefusesChosenIds() async throws {
        let world = try await World.make()
        try await world.replica.sync()
        try await world.replica.store.sync.setRemoteAcceptsChosenIds(true)
        for n in 0..<120 { try await world.replica.store.create("Holiday", ["n": .int(n)]) }
        try await world.replica.sync()
        #expect(try world.replica.store.rejections().isEmpty)
        #expect(try world.hub.store.all("Holiday").count == 120)
        try world.expectEqual()
    }

    @Test func operationIdProvesACreateWithALostReplyDespiteEditsByOthers() async throws {
        try await world.replica.set(["opField": "ops"])
        try await sync()
        try await createAndLose()
        try await sync()
        try expectOthersEdits()
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual()
    }

    @Test func equalRowWithTheChosenIdProvesACreateWithALostReply() async throws {
        try await createAndLose(edit: false)
        try await sync()
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try world.hub.store.fields("Holiday", "x1") == ["n": 5, "items": ["a"]])
        try world.expectEqual()
    }

    @Test func localEditsDuringAChosenIdConflictAreAppliedAfterTheDecision() async throws {
        try await createAndLose()
        try await sync()
        try await world.replica.store.update(
            "Holiday", "x1", ["n": ["__op": "Increment", "amount": 1], "name": "mine"])
        try await world.hub.store.update("Holiday", "x1", ["n": ["__op": "Increment", "amount": 100]])
        try await sync()
        try await world.replica.store.resolveConflict(try question().id, keep: "applied", fields: nil)
        try await sync()
        try expectOthersEdits(n: 113)
        #expect(try world.hub.store.fields("Holiday", "x1")?["name"] == "mine")
        try world.expectEqual()
    }

    /// The create never arrived. Another client has since created an object with the same id.
    @Test func anObjectOfAnotherClientWithTheSameIdIsAConflict() async throws {
        try await world.replica.store.create("Holiday", ["objectId": "x1", "n": 5, "name": "mine"])
        world.transport.once(.requestLost) { method, _, body in method == "POST" && body.contains("mine") }
        _ = await world.replica.engine.startAndWait()
        world.clock.advance(.seconds(1))
        try await world.hub.store.create("Holiday", ["objectId": "x1", "n": 5, "name": "theirs"])
        try await sync()
        #expect(try world.hub.store.fields("Holiday", "x1")?["name"] == "theirs")
        try await world.replica.store.resolveConflict(try question().id, keep: "sendAgain", fields: nil)
        try await sync()
        #expect(try world.hub.store.fields("Holiday", "x1") == ["n": 5, "name": "mine"])
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        try world.expectEqual()
    }

    /// The probe for chosen ids gets no clear answer, so a create is sent without its id and remains unanswered. Until
    /// its outcome is known, the replica must not probe again: it would then look for the object by its id.
    @Test func unansweredCreateThatWasSentWithoutItsIdIsNotRepeated() async throws {
        try await world.replica.store.sync.setRemoteAcceptsChosenIds(nil)
        try await world.replica.store.create("Holiday", ["name": "first"])
        world.transport.set { method, path, body in
            guard "\(method) \(path)" == "POST /classes/Holiday" else { return nil }
            let isProbe = body.contains("not a date")
            return isProbe ? .answer(status: 400, body: #"{"code":119,"error":"Permission denied."}"#) : .late
        }
        _ = await world.replica.attempt()
        world.transport.heal()
        try await world.replica.store.create("Holiday", ["name": "second"])
        world.clock.advance(.seconds(1))
        try await world.replica.sync()
        await world.transport.arrive()
        try await sync(3)
        let names = try world.hub.store.all("Holiday").values.compactMap { $0["name"]?.string }
        #expect(names.sorted() == ["first", "second"])
        #expect(try await world.replica.store.figures().pending == 0)
        // With all outcomes known, the replica probes again and sends ids.
        let id = try await world.replica.store.create("Holiday", ["name": "third"])
        try await sync(1)
        #expect(try world.hub.store.fields("Holiday", id)?["name"] == "third")
    }

    @Test(arguments: ["applied", "sendAgain"]) func localDeletionDuringAChosenIdConflictIsKept(
        keep: String
    ) async throws {
        try await createAndLose()
        try await sync()
        try await world.replica.store.delete("Holiday", "x1")
        #expect(try world.replica.store.fields("Holiday", "x1") == nil)
        try await sync()
        #expect(try world.replica.store.fields("Holiday", "x1") == nil)
        try await world.replica.store.resolveConflict(try question().id, keep: keep, fields: nil)
        try await sync()
        // If the create was applied, edits by others conflict with the local deletion. If not, the object belongs to
        // another client and stays.
        #expect(
            try world.replica.store.conflicts(resolved: false).map(\.kind)
                == (keep == "applied" ? [.deletedLocally] : []))
        try expectOthersEdits()
        try world.expectEqual()
    }
}
