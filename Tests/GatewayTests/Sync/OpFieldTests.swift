import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

/// Tests the class option `opField`: each row keeps the ids of operations that were executed on it, so that a later
/// read proves them.
@Suite("Operation ids in the field that opField names")
struct OpFieldTests {
    private static let increment: JSONObject = ["n": ["__op": "Increment", "amount": 1]]

    private let world: World
    private let id: String

    init() async throws {
        world = try await World.make()
        try await world.replica.set(["opField": "ops"])
        id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
    }

    private func sync() async throws {
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
    }

    /// Sends an increment that is executed and whose answer is lost, after which the remote is unreachable.
    private func incrementInDoubt() async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        world.transport.set { [transport = world.transport] method, _, _ in
            method == "PUT"
                ? .replyLost : transport.requests.contains { $0.hasPrefix("PUT") } ? .refused : nil
        }
        _ = try await world.replica.failingSync()
        world.transport.heal()
    }

    private func puts() -> Int { world.transport.requests.count { $0.hasPrefix("PUT") } }

    @Test(arguments: [(HandlerTransport.Fault.replyLost, 1), (.requestLost, 2), (.truncated, 1)])
    func incrementOfUnknownOutcomeWithAnOperationIdIsNoConflict(
        fault: HandlerTransport.Fault, requests: Int
    ) async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        world.transport.once(fault) { method, _, _ in method == "PUT" }
        for _ in 0..<3 { try await sync() }
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 2)
        #expect(puts() == requests)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
        try world.expectEqual()
    }

    @Test func editByOthersDoesNotTurnAnIncrementWithAnOperationIdIntoAConflict() async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        world.transport.once(.requestLost) { method, _, _ in method == "PUT" }
        try await sync()
        try await world.hub.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 10], "name": "theirs"])
        for _ in 0..<2 { try await sync() }
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 12)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        try world.expectEqual()
    }

    @Test func incrementAfterOneOfUnknownOutcomeIsAppliedOnce() async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        world.transport.once(.replyLost) { method, _, _ in method == "PUT" }
        try await sync()
        try await world.replica.store.update("Holiday", id, Self.increment)
        #expect(try world.replica.store.fields("Holiday", id)?["n"] == 3)
        for _ in 0..<3 { try await sync() }
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 3)
        try world.expectEqual()
    }

    /// The increment was sent without an operation id. An id that is missing in the row does not prove that it was not
    /// applied.
    @Test(arguments: [nil, "ops", "others"] as [String?])
    func operationIdFieldSetAfterALostReplyProvesNothing(later: String?) async throws {
        try await world.replica.set(["opField": nil])
        try await sync()
        try await incrementInDoubt()
        try await world.replica.set(["opField": later.map(JSONValue.string) ?? nil])
        world.clock.advance(.seconds(30))
        try await sync()
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 2)
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == [.wasThisApplied])
    }

    @Test(arguments: [nil, "others"] as [String?])
    func operationIdFieldRemovedAfterALostReplyStillProvesTheRequest(later: String?) async throws {
        try await incrementInDoubt()
        try await world.replica.set(["opField": later.map(JSONValue.string) ?? nil])
        world.clock.advance(.seconds(30))
        for _ in 0..<2 { try await sync() }
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 2)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
    }

    @Test func operationIdsAreRemovedFromTheRowByALaterRequest() async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        try await sync()
        #expect(try world.hub.store.fields("Holiday", id)?["ops"]?.array?.count == 1)
        try await world.replica.store.update("Holiday", id, ["name": "a"])
        try await sync()
        #expect(try world.hub.store.fields("Holiday", id)?["ops"] == [])
        try world.expectEqual()
    }

    @Test func manyIncrementsLeaveFewOperationIdsInTheRow() async throws {
        for _ in 0..<30 {
            try await world.replica.store.update("Holiday", id, Self.increment)
            try await sync()
        }
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 31)
        // Each request must have its own request id, because a server with request deduplication refuses a repeated
        // one.
        let requestIds = world.transport.takeSent().compactMap(\.requestId)
        #expect(requestIds.count > 30)
        #expect(Set(requestIds).count == requestIds.count)
        #expect(try #require(try world.hub.store.fields("Holiday", id)?["ops"]?.array).count <= 9)
        try world.expectEqual()
    }

    @Test func operationIdsOfOtherReplicasStayInTheRow() async throws {
        let other = try await world.another()
        try await other.replica.set(["opField": "ops"])
        try await other.replica.sync()
        try await other.replica.store.update("Holiday", id, Self.increment)
        try await other.replica.sync()
        try await sync()
        try await world.replica.store.update("Holiday", id, Self.increment)
        try await sync()
        try await world.replica.store.update("Holiday", id, ["name": "a"])
        try await sync()
        let ids = try #require(try world.hub.store.fields("Holiday", id)?["ops"]?.array)
        #expect(ids.count == 1)
        #expect(ids.first?.string?.hasPrefix(other.replica.store.replicaId + ":") == true)
    }

    @Test func createWithALostReplyIsFoundByItsOperationIdDespiteEdits() async throws {
        try await world.replica.store.create("Holiday", ["name": "ours", "text": "sent"])
        world.transport.once(.replyLost) { method, _, body in method == "POST" && body.contains("ours") }
        _ = await world.replica.engine.startAndWait()
        let made = try #require(try world.hub.store.all("Holiday").first { $0.key != id }?.key)
        world.clock.advance(.seconds(1))
        try await world.hub.store.update("Holiday", made, ["name": "theirs", "text": "edited"])
        // Another client creates an object with the same content.
        try await world.hub.store.create("Holiday", ["name": "ours", "text": "sent"])
        world.clock.advance(.seconds(30))
        for _ in 0..<2 { try await sync() }
        #expect(try world.hub.store.all("Holiday").count == 3)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try world.replica.store.fields("Holiday", made)?["name"] == "theirs")
        try world.expectEqual()
    }

    @Test func createWithAnOperationIdAndALostRequestIsSentAgainOnce() async throws {
        try await world.replica.store.create("Holiday", ["name": "ours"])
        world.transport.once(.requestLost) { method, _, body in method == "POST" && body.contains("ours") }
        _ = await world.replica.engine.startAndWait()
        try await world.hub.store.create("Holiday", ["name": "ours"])
        world.clock.advance(.seconds(30))
        for _ in 0..<2 { try await sync() }
        #expect(try world.hub.store.all("Holiday").count == 3)
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        try world.expectEqual()
    }

    // MARK: Operation ids in answers to clients

    @Test func operationIdsAreHiddenFromLocalClients() async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        try await sync()
        #expect(try world.hub.store.fields("Holiday", id)?["ops"]?.array?.count == 1)
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 2])
        let made = try await world.replica.store.create("Holiday", ["name": "new"])
        try await sync()
        #expect(try world.replica.store.fields("Holiday", made) == ["name": "new"])
        let asking = try ParseQuery(parameters: ["where": ["ops": ["$exists": true]]])
        #expect(try world.replica.store.find("Holiday", asking).objects.isEmpty)
        let changes = try world.replica.store.changes(since: 0, classes: nil, limit: 100).entries
        #expect(!changes.contains { $0.json?.contains("ops") == true })
        await #expect(throws: ParseError.self) { try await world.replica.store.update("Holiday", id, ["ops": ["x"]]) }
        #expect(try world.replica.store.invariantViolations().isEmpty)
    }

    @Test func fieldIsHiddenFromClientsOnceItIsTheOperationIdField() async throws {
        try await world.replica.set(["opField": nil])
        try await world.hub.store.update("Holiday", id, ["marks": ["somebody:1"]])
        try await sync()
        #expect(try world.replica.store.fields("Holiday", id)?["marks"] == ["somebody:1"])
        try await world.replica.set(["opField": "marks"])
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 1])
        try await sync()
        #expect(try world.replica.store.fields("Holiday", id) == ["n": 1])
        try await world.replica.set(["opField": nil])
        try await sync()
        #expect(try world.replica.store.fields("Holiday", id)?["marks"] == ["somebody:1"])
    }

    @Test func existingFieldOfAnotherTypeIsRefusedAsOperationIdField() async throws {
        let (status, answer) = try await world.replica.send(
            "PUT /sync/classes/Holiday", ["opField": "n"], clock: world.clock)
        #expect(status == 400)
        #expect(answer["code"] == 111)
        let (_, info) = try await world.replica.send("GET /sync/classes/Holiday", clock: world.clock)
        #expect(info["opField"] == "ops")
    }

    /// The remote's column has another type, although no local object has the field.
    @Test func remoteFieldOfAnotherTypeIsRefusedAsOperationIdField() async throws {
        try await world.replica.store.takeRemoteSchemas([
            ClassSchema("Holiday", added: ["n": SchemaField(.number), "marks": SchemaField(.string)])
        ])
        let (status, answer) = try await world.replica.send(
            "PUT /sync/classes/Holiday", ["opField": "marks"], clock: world.clock)
        #expect(status == 400)
        #expect(answer["code"] == 111)
    }

    @Test func commonOperationIdFieldOfAllReplicasIsOffered() async throws {
        let (_, offered) = try await world.replica.send("PUT /sync/classes/Other", [:], clock: world.clock)
        #expect(offered["opField"] == .null)
        #expect(offered["opFieldOffer"] == "tidegateOps")
        let (_, taken) = try await world.replica.send("PUT /sync/classes/Other", ["opField": true], clock: world.clock)
        #expect(taken["opField"] == "tidegateOps")
        #expect(taken["opFieldOffer"] == nil)
    }

    private func takeSchema(_ field: SchemaField) async throws {
        try await world.replica.store.takeRemoteSchemas([
            ClassSchema("Other", added: [ClassOptions.opFieldStandard: field])
        ])
    }

    private func optionsOfOther(_ change: JSONObject) async throws -> JSONObject {
        try await world.replica.send("PUT /sync/classes/Other", change, clock: world.clock).1
    }

    /// Another replica has added the operation id field to the remote's class.
    @Test(arguments: [true, false]) func operationIdFieldThatTheRemoteAlreadyHasIsTheDefault(
        isKnownFirst: Bool
    ) async throws {
        if isKnownFirst { try await takeSchema(SchemaField(.array)) }
        _ = try await optionsOfOther([:])
        if !isKnownFirst { try await takeSchema(SchemaField(.array)) }
        #expect(try await optionsOfOther([:])["opField"] == "tidegateOps")
        // An option that a user has set is not replaced by the default.
        #expect(try await optionsOfOther(["opField": nil])["opField"] == .null)
        try await takeSchema(SchemaField(.array, isRequired: false))
        #expect(try await optionsOfOther(["policy": "local"])["opField"] == .null)
        #expect(try await optionsOfOther(["opField": "mine"])["opField"] == "mine")
    }

    @Test func remoteFieldOfAnotherTypeIsNotTheDefaultOperationIdField() async throws {
        try await takeSchema(SchemaField(.string))
        #expect(try await optionsOfOther([:])["opField"] == .null)
    }

    // MARK: A remote that refuses the operation id field

    @Test(arguments: [
        (119, "Permission denied for action addField on class Holiday."), (111, "schema mismatch"), (105, "Invalid"),
    ])
    func changeIsSentWithoutAnOperationIdFieldThatTheRemoteRefuses(code: Int, message: String) async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        world.transport.set { method, _, body in
            guard method == "PUT", body.contains("ops") else { return nil }
            return .answer(status: 400, body: #"{"code":\#(code),"error":"\#(message)"}"#)
        }
        try await sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 2])
        #expect(try world.replica.store.rejections().isEmpty)
        let (_, info) = try await world.replica.send("GET /sync/classes/Holiday", clock: world.clock)
        #expect(info["opFieldRefusal"] == .string(message))
        // After the remote has refused the field, later changes are sent without it.
        _ = world.transport.takeSent()
        try await world.replica.store.update("Holiday", id, Self.increment)
        try await sync()
        #expect(puts() == 1)
        #expect(try world.hub.store.fields("Holiday", id) == ["n": 3])
    }

    @Test func refusedOperationIdFieldIsUsedAgainOnceItIsSetAgain() async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        world.transport.set { method, _, body in
            method == "PUT" && body.contains("ops") ? .answer(status: 400, body: #"{"code":119,"error":"no"}"#) : nil
        }
        try await sync()
        let (_, refused) = try await world.replica.send("GET /sync/classes/Holiday", clock: world.clock)
        #expect(refused["opFieldRefusal"] == "no")
        world.transport.heal()
        let (_, again) = try await world.replica.send(
            "PUT /sync/classes/Holiday", ["opField": "ops"], clock: world.clock)
        #expect(again["opFieldRefusal"] == .null)
        try await world.replica.store.update("Holiday", id, Self.increment)
        try await sync()
        #expect(try world.hub.store.fields("Holiday", id)?["ops"]?.array?.count == 1)
    }

    @Test func refusalOfAChangeIsNotTakenForARefusalOfTheOperationIdField() async throws {
        try await world.replica.store.update("Holiday", id, Self.increment)
        world.transport.set { method, _, _ in
            method == "PUT" ? .answer(status: 400, body: #"{"code":119,"error":"no"}"#) : nil
        }
        try await sync()
        #expect(try world.replica.store.rejections().map(\.error) == ["no"])
        let (_, info) = try await world.replica.send("GET /sync/classes/Holiday", clock: world.clock)
        #expect(info["opFieldRefusal"] == .null)
    }
}
