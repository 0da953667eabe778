import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests soft deletion: objects of a class are marked as deleted in the field that the option `deletedField` names.
@Suite("Soft deletion by the class option deletedField")
struct DeletedFieldTests {
    private let world: World
    private let id: String

    init() async throws {
        world = try await World.make()
        try await world.replica.set(["deletedField": "isDeleted"])
        id = try await world.hub.store.create("Holiday", ["name": "a"])
        for n in 0..<5 { try await world.hub.store.create("Holiday", ["name": .string("other \(n)")]) }
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        _ = world.transport.takeSent()
    }

    private func sync() async throws -> SyncSummary {
        let summary = try await world.replica.sync()
        world.clock.advance(.seconds(30))
        return summary
    }

    /// The requests that search for deletions. A pull's batch also reads known objects, and is not counted.
    private func sweeps() -> [String] {
        world.transport.takeSent().map(\.body).filter {
            !$0.contains("updatedAt,objectId") && ($0.contains("\"$in\"") || $0.contains("order=objectId"))
        }
    }

    @Test func rowSoftDeletedAtTheRemoteIsRemovedLocally() async throws {
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        let summary = try await sync()
        #expect(summary.removed == 1)
        #expect(try world.replica.store.object("Holiday", id) == nil)
        #expect(try world.replica.store.all("Holiday").count == 5)
        _ = try await sync()
        #expect(sweeps().isEmpty)
        #expect(try await sync().requests == 1)
    }

    @Test func remoteRowThatIsNoLongerSoftDeletedReturns() async throws {
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        _ = try await sync()
        try await world.hub.store.update("Holiday", id, ["isDeleted": false])
        _ = try await sync()
        #expect(try world.replica.store.fields("Holiday", id)?["name"] == "a")
    }

    @Test func localDeletionSoftDeletesTheRemoteRow() async throws {
        try await world.replica.store.delete("Holiday", id)
        _ = try await sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "a", "isDeleted": true])
        for _ in 0..<2 { _ = try await sync() }
        #expect(try world.replica.store.object("Holiday", id) == nil)
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(!world.transport.requests.contains { $0.hasPrefix("DELETE") })
    }

    @Test(arguments: [HandlerTransport.Fault.replyLost, .requestLost])
    func softDeletionWithALostRequestIsSentAgain(fault: HandlerTransport.Fault) async throws {
        try await world.replica.store.delete("Holiday", id)
        world.transport.once(fault) { method, _, _ in method == "PUT" }
        for _ in 0..<3 { _ = try await sync() }
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "a", "isDeleted": true])
        #expect(try world.replica.store.object("Holiday", id) == nil)
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(world.transport.requests.count { $0.hasPrefix("PUT") } == (fault.isReplyLost ? 1 : 2))
    }

    @Test func localEditOfASoftDeletedRowIsAnOpenConflict() async throws {
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        try await world.replica.store.update("Holiday", id, ["name": "b"])
        #expect(try await sync().conflicts == 1)
        #expect(try world.replica.store.conflicts(resolved: false).first?.kind == .deletedRemotely)
        #expect(try world.hub.store.fields("Holiday", id)?["name"] == "a")
    }

    /// The kept object is the same row at the remote as before, whichever side chooses ids, so pointers to it stay
    /// valid.
    @Test(arguments: [false, true], [nil, HandlerTransport.Fault.replyLost, .requestLost])
    func objectKeptByThePolicyLosesItsRemoteDeletionMark(acceptsIds: Bool, fault: HandlerTransport.Fault?) async throws
    {
        let world = try await World.make(allowsChosenIds: acceptsIds)
        try await world.replica.set(["deletedField": "isDeleted", "policy": "local"])
        let id = try await world.hub.store.create("Holiday", ["name": "a", "more": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        try await world.replica.store.update("Holiday", id, ["name": "b"])
        if let fault { world.transport.once(fault) { method, _, _ in method == "PUT" } }
        for _ in 0..<4 {
            try await world.replica.sync()
            world.clock.advance(.seconds(30))
        }
        #expect(try world.hub.store.all("Holiday").count == 1)
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "b", "more": 1, "isDeleted": false])
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual()
    }

    /// To create the object again, the replica updates its soft-deleted row. The remote does not let this gateway
    /// write the row.
    @Test func recreationOfASoftDeletedRowThatRefusesUpdatesIsRejected() async throws {
        try await world.replica.set(["policy": "local"])
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        try await world.replica.store.update("Holiday", id, ["name": "b"])
        world.transport.set { method, _, _ in
            method == "PUT" ? .answer(status: 404, body: #"{"code":101,"error":"Object not found."}"#) : nil
        }
        for _ in 0..<3 { _ = try await sync() }
        let figures = try await world.replica.store.figures()
        #expect(figures.pending == 0 && figures.rejections == 1, "\(figures)")
        let refused = try #require(try world.replica.store.rejections().first)
        let words = "Not allowed: the author of the change may not write the object."
        #expect(refused.code == 101 && refused.error?.hasPrefix(words) == true)
        // When the remote allows the write, the change can be sent again.
        world.transport.heal()
        try await world.replica.store.retryRejection(refused.id, fields: nil)
        _ = try await sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "b", "isDeleted": false])
    }

    /// The create arrives late, and another client soft-deletes the object. The create must not be sent again.
    @Test(arguments: [false, true])
    func lateCreateIsNotRepeatedAfterItsRowWasSoftDeleted(isEdited: Bool) async throws {
        let world = try await World.make(allowsChosenIds: true)
        try await world.replica.set(["deletedField": "isDeleted"])
        try await world.hub.store.create("Holiday", ["name": "other"])
        try await world.replica.sync()
        let id = try await world.replica.store.create("Holiday", ["name": "a"])
        world.transport.once(.late) { method, _, body in method == "POST" && body.contains(#""name":"a""#) }
        _ = try? await world.replica.sync()
        #expect(try await world.replica.store.figures().pending == 1)
        await world.transport.arrive()
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        if isEdited { try await world.replica.store.update("Holiday", id, ["name": "b"]) }
        for _ in 0..<3 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
        #expect(try world.hub.store.fields("Holiday", id) == ["name": "a", "isDeleted": true])
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == (isEdited ? [.deletedRemotely] : []))
        #expect((try world.replica.store.object("Holiday", id) == nil) == !isEdited)
    }

    /// Another client soft-deletes an object whose create got no answer. A pull shows the deletion before the replica
    /// knows the object's id.
    @Test(arguments: [false, true])
    func objectWithALostCreateReplyIsRemovedIfItsRowIsSoftDeleted(isEdited: Bool) async throws {
        try await world.replica.store.sync.setRemoteAcceptsChosenIds(false)
        let fields: JSONObject = ["name": "new", "list": ["x", "y"]]
        let local = try await world.replica.store.create("Holiday", fields)
        world.transport.set { [transport = world.transport] method, path, _ in
            let create = "POST /classes/Holiday"
            if "\(method) \(path)" == create { return .replyLost }
            return transport.requests.contains(create) ? .refused : nil
        }
        _ = await world.replica.engine.startAndWait()
        world.transport.heal()
        let id = try #require(try world.hub.store.all("Holiday").first { $0.value["name"] == "new" }?.key)
        if isEdited { try await world.hub.store.update("Holiday", id, ["name": "theirs"]) }
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        for _ in 0..<3 { _ = try await sync() }
        let questions = try world.replica.store.conflicts(resolved: false)
        #expect(questions.map(\.kind) == (isEdited ? [.ambiguousCreate] : []))
        for question in questions {
            try await world.replica.store.resolveConflict(question.id, keep: "applied", fields: nil)
        }
        for _ in 0..<3 { _ = try await sync() }
        #expect(try world.replica.store.object("Holiday", local) == nil)
        #expect(try world.replica.store.all("Holiday").count == 6)
        #expect(try world.hub.store.all("Holiday").count == 7)
        #expect(try await world.replica.store.figures().pending == 0)
    }

    @Test func deletionOfASoftDeletedRowSucceeds() async throws {
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        try await world.replica.store.delete("Holiday", id)
        let summary = try await sync()
        #expect(summary.conflicts == 0)
        #expect(try await world.replica.store.figures().pending == 0)
    }

    @Test func settingDeletedFieldHidesRowsThatAreAlreadySoftDeleted() async throws {
        try await world.replica.set(["deletedField": nil])
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        _ = try await sync()
        #expect(try world.replica.store.fields("Holiday", id)?["isDeleted"] == true)
        world.clock.advance(.seconds(3600))
        _ = try await sync()
        try await world.replica.set(["deletedField": "isDeleted"])
        _ = try await sync()
        #expect(try world.replica.store.object("Holiday", id) == nil)
        try await world.replica.set(["deletedField": nil])
        _ = try await sync()
        try world.expectEqual()
    }

    @Test func subsetWithSoftDeletedRowsIsNotSearchedInEachSync() async throws {
        try await world.replica.set(["pulls": [["name": "named", "where": ["name": ["$exists": true]]]]])
        try await world.hub.store.update("Holiday", id, ["isDeleted": true])
        for _ in 0..<2 { _ = try await sync() }
        #expect(try world.replica.store.all("Holiday").count == 5)
        #expect(try await sync().requests == 1)
    }
}

extension HandlerTransport.Fault {
    var isReplyLost: Bool {
        if case .replyLost = self { true } else { false }
    }
}
