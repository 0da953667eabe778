import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import Testing

/// Tests creates of unknown outcome: a user may have to decide whether a remote object is the created one. The remote
/// chooses the ids.
@Suite("Conflicts about creates with lost replies")
struct CreateQuestionTests {
    private let world: World
    /// A value that all objects of the class have, so that it identifies none.
    private static let list: JSONValue = Pointer(className: "AListWithAVeryLongName", objectId: "p0inter-of-all").json

    init() async throws {
        world = try await World.make()
        for number in 0..<6 { try await world.hub.store.create("Holiday", Self.body("known \(number)")) }
        try await world.replica.sync()
        try await world.replica.store.sync.setRemoteAcceptsChosenIds(false)
        world.clock.advance(.seconds(30))
    }

    private static func body(_ title: String) -> JSONObject { ["title": .string(title), "list": list, "done": false] }

    private func sync(_ times: Int = 2) async throws {
        for _ in 0..<times {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
    }

    private func titles(of store: some GatewayStore) throws -> [String] {
        try store.all("Holiday").values.compactMap { $0["title"]?.string }.filter { !$0.hasPrefix("known") }.sorted()
    }

    private func idOnHub(_ title: String) throws -> String {
        try #require(try world.hub.store.all("Holiday").first { $0.value["title"] == .string(title) }?.key)
    }

    /// - Returns: the local id of a new object whose create gets the fault. Afterwards the remote is unreachable.
    private func createAndLose(
        _ title: String, _ fault: HandlerTransport.Fault = .replyLost, with more: JSONObject = [:]
    ) async throws -> String {
        var body = Self.body(title)
        for (field, value) in more { body[field] = value }
        let id = try await world.replica.store.create("Holiday", body)
        _ = world.transport.takeSent()
        world.transport.set { [transport = world.transport] method, path, _ in
            let create = "POST /classes/Holiday"
            if "\(method) \(path)" == create { return fault }
            return transport.requests.contains(create) ? .refused : nil
        }
        _ = await world.replica.engine.startAndWait()
        world.transport.heal()
        world.clock.advance(.seconds(1))
        return id
    }

    /// Makes the conflict: the create has arrived without an answer, and another client has edited its object.
    private func open(_ edit: JSONObject = ["done": true, "name": "theirs"]) async throws -> String {
        let id = try await createAndLose("new")
        try await world.hub.store.update("Holiday", idOnHub("new"), edit)
        try await sync()
        return id
    }

    private func question(_ id: String) throws -> ListedConflict {
        let open = try world.replica.store.conflicts(resolved: false).filter { $0.objectId == id }
        #expect(open.map(\.kind) == [.ambiguousCreate])
        return try #require(open.first)
    }

    private func answer(_ id: String, _ keep: String) async throws {
        try await world.replica.store.resolveConflict(try question(id).id, keep: keep, fields: nil)
        try await sync()
    }

    private func expectSettled() async throws {
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try await world.replica.store.figures().pending == 0)
        #expect(try world.replica.store.invariantViolations().isEmpty)
        try world.expectEqual()
    }

    @Test func remoteObjectSharingOnlyCommonValuesIsNotMatchedToALostCreate() async throws {
        _ = try await createAndLose("new", .requestLost)
        let other = try await world.hub.store.create("Holiday", Self.body("other"))
        try await world.hub.store.update("Holiday", other, ["name": "theirs"])
        try await sync()
        #expect(try titles(of: world.hub.store) == ["new", "other"])
        try await expectSettled()
    }

    @Test func possibleMatchOfALostCreateIsHiddenUntilTheDecision() async throws {
        let id = try await open()
        let made = try idOnHub("new")
        #expect(try question(id).remote?.contains(made) == true)
        #expect(try titles(of: world.replica.store) == ["new"])
        #expect(try world.replica.store.fields("Holiday", made) == nil)
        await #expect(throws: ParseError.self) { try await world.replica.store.update("Holiday", made, ["n": 1]) }
        #expect(try world.replica.store.invariantViolations().isEmpty)
        // A later remote edit appears in the conflict, which shows the current row.
        try await world.hub.store.update("Holiday", made, ["name": "newer"])
        try await sync()
        #expect(try titles(of: world.replica.store) == ["new"])
        #expect(try question(id).remote?.contains("newer") == true)
        try await answer(id, "applied")
        #expect(try world.replica.store.fields("Holiday", id)?["name"] == "newer")
        try await expectSettled()
    }

    @Test func possibleMatchOfALostCreateIsShownOnceItIsDecidedToBeAnotherObject() async throws {
        let id = try await open()
        try await answer(id, "sendAgain")
        #expect(try titles(of: world.hub.store) == ["new", "new"])
        #expect(try titles(of: world.replica.store) == ["new", "new"])
        try await expectSettled()
    }

    /// A rare title has more weight in the comparison than a pointer that all objects share, however long the pointer
    /// is.
    @Test func remoteObjectSharingRareValuesIsAPossibleMatchOfALostCreate() async throws {
        let id = try await createAndLose("new")
        let other = try await world.hub.store.create("Holiday", Self.body("other"))
        try await world.hub.store.update("Holiday", other, ["name": "theirs"])
        try await world.hub.store.update("Holiday", idOnHub("new"), ["list": ["__op": "Delete"], "done": true])
        try await sync()
        #expect(try question(id).remote?.contains(try idOnHub("new")) == true)
        try await answer(id, "applied")
        #expect(try titles(of: world.hub.store) == ["new", "other"])
        try await expectSettled()
    }

    /// Another client has changed three of the object's six fields. Only the title, which no other object has,
    /// identifies the object.
    @Test(arguments: [false, true]) func remoteObjectSharingAUniqueValueIsAlwaysAPossibleMatchOfALostCreate(
        isDeletedHere: Bool
    ) async throws {
        let details: JSONObject = ["place": "Rome", "code": "x1", "price": 12.5]
        let id = try await createAndLose("new", with: details)
        let made = try idOnHub("new")
        try await world.hub.store.update("Holiday", made, ["place": "Bonn", "code": "y2", "price": 13])
        if isDeletedHere { try await world.replica.store.delete("Holiday", id) }
        try await sync()
        #expect(try question(id).remote?.contains(made) == true)
        #expect(try titles(of: world.hub.store) == ["new"])
        #expect(try titles(of: world.replica.store) == (isDeletedHere ? [] : ["new"]))
        try await answer(id, "applied")
        guard isDeletedHere else {
            #expect(try titles(of: world.hub.store) == ["new"])
            return try await expectSettled()
        }
        // Another client's edit, made before the deletion, is a conflict of its own.
        #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == [.deletedLocally])
    }

    @Test func rejectedPossibleMatchOfALostCreateIsFollowedByTheNextOne() async throws {
        let id = try await createAndLose("new")
        let mine = try idOnHub("new")
        let other = try await world.hub.store.create("Holiday", Self.body("new"))
        // The other object equals more of the sent values, so the user is asked about it first. True answers create no
        // duplicate.
        try await world.hub.store.update("Holiday", other, ["done": true])
        try await world.hub.store.update("Holiday", mine, ["done": true, "list": ["__op": "Delete"]])
        try await sync()
        #expect(try question(id).remote?.contains(other) == true)
        try await answer(id, "sendAgain")
        #expect(try question(id).remote?.contains(mine) == true)
        try await answer(id, "applied")
        #expect(try titles(of: world.hub.store) == ["new", "new"])
        try await expectSettled()
    }

    /// The first create has not arrived. The object of the second one has some of its rare values, but is not asked about.
    @Test func objectOfAnotherLostCreateIsNoPossibleMatch() async throws {
        _ = try await createAndLose("first", .requestLost, with: ["price": 12.5, "place": "Rome"])
        let second = try await createAndLose("second", with: ["price": 12.5, "place": "Rome"])
        let made = try idOnHub("second")
        try await sync()
        #expect(try world.replica.store.conflicts(resolved: false).isEmpty)
        #expect(try world.replica.store.fields("Holiday", second) == world.replica.store.fields("Holiday", made))
        #expect(try titles(of: world.hub.store) == ["first", "second"])
        try await expectSettled()
    }

    @Test func oneDecisionResolvesTwoCreateConflictsAboutOneRemoteObject() async throws {
        let ids = [
            try await createAndLose("new", .requestLost), try await createAndLose("new", .requestLost),
        ]
        let made = try await world.hub.store.create("Holiday", Self.body("new"))
        try await world.hub.store.update("Holiday", made, ["done": true])
        try await sync()
        for id in ids { #expect(try question(id).remote?.contains(made) == true) }
        try await answer(ids[1], "applied")
        #expect(try titles(of: world.hub.store) == ["new", "new"])
        try await expectSettled()
    }

    // MARK: Local writes during the conflict

    @Test(arguments: [ConflictPolicy.merge, .remote, .manual], ["applied", "sendAgain"])
    func editsDuringACreateConflictAreAppliedAfterTheDecision(policy: ConflictPolicy, keep: String) async throws {
        try await world.replica.set(["policy": .string(policy.rawValue)])
        let id = try await open()
        let made = try idOnHub("new")
        try await world.replica.store.update("Holiday", id, ["name": "mine", "n": ["__op": "Increment", "amount": 2]])
        try await sync()
        #expect(try world.hub.store.fields("Holiday", made)?["n"] == nil)
        try await answer(id, keep)
        if keep == "sendAgain" {
            let hub = try world.hub.store.all("Holiday")
            #expect(hub.values.count { $0["name"] == "mine" && $0["n"] == 2 } == 1)
            #expect(hub[made]?["name"] == "theirs")
            return try await expectSettled()
        }
        #expect(try titles(of: world.hub.store) == ["new"])
        switch policy {
        // The other client's edit conflicts with the local one. The policy resolves this conflict and records it.
        case .merge, .local, .remote:
            let winner: JSONValue = policy == .remote ? "theirs" : "mine"
            #expect(try world.hub.store.fields("Holiday", made)?["name"] == winner)
            #expect(try world.hub.store.fields("Holiday", made)?["n"] == 2)
            #expect(try world.replica.store.conflicts(resolved: true).contains { $0.kind == .fields })
            try await expectSettled()
        case .manual:
            #expect(try world.replica.store.conflicts(resolved: false).map(\.kind) == [.fields])
        }
    }

    @Test(arguments: [false, true], ["applied", "sendAgain"])
    func aDeletionDuringACreateConflictIsCarriedOutAfterTheDecision(isBefore: Bool, keep: String) async throws {
        try await world.replica.set(["policy": "local"])
        let id = try await createAndLose("new")
        if isBefore { try await world.replica.store.delete("Holiday", id) }
        try await world.hub.store.update("Holiday", idOnHub("new"), ["done": true])
        try await sync()
        if !isBefore { try await world.replica.store.delete("Holiday", id) }
        #expect(try world.replica.store.fields("Holiday", id) == nil)
        #expect(try titles(of: world.replica.store) == [])
        await #expect(throws: ParseError.self) { try await world.replica.store.update("Holiday", id, ["n": 1]) }
        try await sync()
        #expect(try world.replica.store.fields("Holiday", id) == nil)
        try await answer(id, keep)
        #expect(try world.replica.store.fields("Holiday", id) == nil)
        #expect(try titles(of: world.hub.store) == (keep == "applied" ? [] : ["new"]))
        try await expectSettled()
    }

    @Test func objectDeletedLocallyAfterALostCreateRequestIsNotCreated() async throws {
        let id = try await createAndLose("new", .requestLost)
        try await world.replica.store.delete("Holiday", id)
        try await sync()
        #expect(try titles(of: world.hub.store) == [])
        #expect(!world.transport.takeSent().contains { $0.line.hasPrefix("DELETE") })
        try await expectSettled()
    }
}
