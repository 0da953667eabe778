import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests classes whose permissions allow every client to write and not to read.
@Suite("Write-only classes")
struct WriteOnlyClassTests {
    private let world: World

    init() async throws {
        world = try await World.make()
        try await world.replica.sync()
        forbidReading()
    }

    /// - Parameter fault: an additional fault for requests that concern the class.
    private func forbidReading(_ fault: HandlerTransport.Fault? = nil) {
        let refusal = #"{"code":119,"error":"Permission denied for action find on class Feedback."}"#
        world.transport.set { method, path, body in
            guard path.contains("/Feedback") || body.contains("stars") else { return nil }
            return method == "GET" ? .answer(status: 400, body: refusal) : body.contains("not a date") ? nil : fault
        }
    }

    private func sync() async throws -> SyncSummary {
        world.clock.advance(.seconds(60))
        return try await world.replica.sync()
    }

    @Test func changesOfAWriteOnlyClassAreSent() async throws {
        let id = try await world.replica.store.create("Feedback", ["stars": 4])
        #expect(try await sync().pushed == 1)
        try await world.replica.store.update("Feedback", id, ["stars": 5])
        let summary = try await sync()
        #expect(summary.pushed == 1)
        #expect(summary.warnings.isEmpty)
        #expect(try world.hub.store.all("Feedback").values.map { $0["stars"] } == [5])
        try await world.replica.store.delete("Feedback", id)
        _ = try await sync()
        #expect(try world.hub.store.all("Feedback").isEmpty)
        #expect(try await sync().requests == 1)
    }

    /// Makes an open conflict about a create that was executed and whose answer was lost. The object has the remote's
    /// id there.
    private func conflictAboutACreate() async throws -> ListedConflict {
        try await world.replica.store.create("Feedback", ["stars": 4])
        forbidReading(.replyLost)
        try await world.replica.store.create("Holiday", ["n": 1])
        _ = try await sync()
        forbidReading()
        _ = try await sync()
        return try #require(try world.replica.store.conflicts(resolved: false).first)
    }

    @Test func createInAWriteOnlyClassCanBeEditedOnceItsRemoteIdIsGiven() async throws {
        let conflict = try await conflictAboutACreate()
        let made = try #require(try world.hub.store.all("Feedback").keys.first)
        let path = "POST /sync/conflicts/\(conflict.id)"
        let (refusal, reason) = try await world.replica.send(path, ["keep": "applied"], clock: world.clock)
        #expect(refusal == 400)
        #expect(reason["error"]?.string?.contains("objectId") == true)
        let answer: JSONObject = ["keep": "applied", "object": ["objectId": .string(made)]]
        let (status, _) = try await world.replica.send(path, answer, clock: world.clock)
        #expect(status == 200)
        try await world.replica.store.update("Feedback", conflict.objectId, ["stars": 5])
        _ = try await sync()
        #expect(try world.replica.store.rejections().isEmpty)
        #expect(try world.hub.store.fields("Feedback", made)?["stars"] == 5)
        #expect(try world.hub.store.all("Feedback").count == 1)
    }

    @Test func createOfUnknownOutcomeInAWriteOnlyClassIsAConflictAndDelaysNoOther() async throws {
        let conflict = try await conflictAboutACreate()
        try world.expectEqual()
        #expect(conflict.kind == .ambiguousCreate)
        try await world.replica.store.resolveConflict(conflict.id, keep: "sendAgain", fields: nil)
        _ = try await sync()
        #expect(try world.hub.store.all("Feedback").count == 2)
        #expect(try await world.replica.store.figures().pending == 0)
    }

    @Test func editOfUnknownOutcomeInAWriteOnlyClassIsSentAgain() async throws {
        let id = try await world.replica.store.create("Feedback", ["stars": 4])
        _ = try await sync()
        try await world.replica.store.update("Feedback", id, ["stars": 5])
        forbidReading(.requestLost)
        _ = try await sync()
        forbidReading()
        for _ in 0..<2 { _ = try await sync() }
        #expect(try world.hub.store.all("Feedback").values.map { $0["stars"] } == [5])
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
    }

    @Test func unparsableRemoteAnswersAboutAClassDelayOnlyThatClass() async throws {
        world.transport.heal()
        let id = try await world.hub.store.create("Feedback", ["stars": 4])
        try await world.replica.set([:], of: "Feedback")
        _ = try await sync()
        try await world.replica.store.update("Feedback", id, ["stars": 5])
        try await world.replica.store.create("Holiday", ["n": 1])
        world.transport.set { _, path, body in
            path.contains("Feedback") || body.contains("Feedback") ? .answer(status: 200, body: "<html>") : nil
        }
        let summary = try await sync()
        #expect(summary.classes["Holiday"]?.pushed == 1)
        #expect(summary.warnings.count == 2)
        #expect(try world.replica.store.pendingChanges().map(\.className) == ["Feedback"])
        world.transport.heal()
        _ = try await sync()
        try world.expectEqual("Feedback")
    }
}
