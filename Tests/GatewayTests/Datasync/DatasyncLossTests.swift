import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import TablesServer
import Testing

/// Tests requests and answers of a table server that the network loses, delays or duplicates.
@Suite("Lost requests and replies of a table server over HTTP", .timeLimit(.minutes(10)))
struct DatasyncLossTests {
    enum Loss: CaseIterable, Sendable {
        case request, reply

        var effect: TablesServer.FaultEffect {
            switch self {
            case .request: .requestLost
            case .reply: .replyLost
            }
        }
    }

    @Test(arguments: TablesVariant.allCases, Loss.allCases)
    func tableCreateWithALostRequestOrReplyIsExecutedOnce(_ variant: TablesVariant, _ loss: Loss) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        world.server.fail(loss.effect) { $0.method == "POST" }
        let id = try await world.store.create("Holiday", ["n": 2])
        try await world.settle()
        #expect(world.live == ["row": ["n": 1], id: ["n": 2]])
    }

    @Test(arguments: TablesVariant.allCases, Loss.allCases)
    func tableUpdateWithALostRequestOrReplySetsTheValue(_ variant: TablesVariant, _ loss: Loss) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        world.server.fail(loss.effect) { ["PATCH", "PUT"].contains($0.method) }
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.settle()
        #expect(world.live == ["row": ["n": 2]])
    }

    /// A table column holds the URL of a file. Two URLs that end in the same file name are different files.
    @Test(arguments: TablesVariant.allCases, Loss.allCases)
    func fileFieldIsSetDespiteALostRequestOrReply(_ variant: TablesVariant, _ loss: Loss) async throws {
        let world = try await DatasyncWorld(variant)
        try await world.set(["fields": ["name": ["type": "File"]]])
        world.server.put("Holiday", "row", ["name": "https://files.example/old/cat.png"])
        try await world.sync()
        world.clock.advance(.seconds(30))
        world.server.fail(loss.effect) { ["PATCH", "PUT"].contains($0.method) }
        let file: JSONValue = ["__type": "File", "name": "cat.png", "url": "https://files.example/new/cat.png"]
        try await world.store.update("Holiday", "row", ["name": file])
        for _ in 0..<3 {
            _ = await world.engine.sync()
            world.clock.advance(.seconds(120))
        }
        #expect(world.live == ["row": ["name": "https://files.example/new/cat.png"]])
        #expect(try await world.store.figures().pending == 0)
        let here = try #require(world.store.fields("Holiday", "row")?["name"].flatMap(FileReference.init))
        #expect(here.url == "https://files.example/new/cat.png")
        #expect(here.name.wholeMatch(of: /[0-9a-f]{32}_cat\.png/) != nil)

        // A client writes the file back with the gateway's URL, and later with another URL under the same name.
        let served = "http://127.0.0.1:1338/files/app/\(here.name)"
        try await world.store.update("Holiday", "row", ["name": FileReference(name: here.name, url: served).json])
        #expect(try world.store.fields("Holiday", "row")?["name"] == here.json)
        let dog = FileReference(name: here.name, url: "https://files.example/dog.png")
        try await world.store.update("Holiday", "row", ["name": dog.json])
        try await world.settle()
        #expect(world.live == ["row": ["name": "https://files.example/dog.png"]])
        // The gateway refuses its own URL of an unknown file, because the remote has no URL for it.
        let unknown = FileReference(
            name: "0123456789abcdef0123456789abcdef_a.png",
            url: served.replacing(here.name, with: "0123456789abcdef0123456789abcdef_a.png"))
        await #expect(throws: ParseError.self) {
            try await world.store.update("Holiday", "row", ["name": unknown.json])
        }
    }

    /// A create arrives after the read that was to prove it. Another client deletes the new row at once.
    @Test(arguments: [TablesVariant.azure, .community])
    func rowOfALateCreateThatAnotherClientDeletedStaysDeleted(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        world.server.fail(.requestLost) { $0.method == "POST" }
        let id = try await world.store.create("Holiday", ["n": 2])
        _ = await world.engine.sync()
        let server = world.server
        server.afterEachRequest { request in
            guard request.method == "GET", request.target.contains(id) else { return }
            server.afterEachRequest(nil)
            server.put("Holiday", id, ["n": 2])
            server.delete("Holiday", id)
        }
        try await world.settle()
        #expect(world.live == ["row": ["n": 1]])
        #expect(world.server.requests.contains { $0.hasPrefix("POST ") })
        #expect(try world.store.fields("Holiday", id) == nil)
    }

    /// The network delivers the request of a create twice. Another client deletes the row between the two deliveries.
    @Test(arguments: [TablesVariant.azure, .community])
    func rowDeletedBetweenTwoDeliveriesOfItsCreateStaysDeleted(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        let server = world.server
        let id = try await world.store.create("Holiday", ["n": 2])
        server.put("Holiday", id, ["n": 2])
        server.delete("Holiday", id)
        try await world.settle()
        #expect(world.live == ["row": ["n": 1]])
        #expect(server.requests.contains { $0.hasPrefix("POST ") })
        #expect(try world.store.fields("Holiday", id) == nil)
    }

    /// The network delivers the request of a create twice. Another client edits the row between the two deliveries.
    @Test(arguments: TablesVariant.allCases)
    func secondDeliveryOfACreateDoesNotOverwriteALaterEdit(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        let id = try await world.store.create("Holiday", ["n": 2])
        world.server.put("Holiday", id, ["n": 5])
        try await world.settle()
        #expect(world.live == ["row": ["n": 1], id: ["n": 5]])
        #expect(world.server.requests.contains { $0.hasPrefix("POST ") })
        #expect(try world.store.fields("Holiday", id)?["n"] == 5)
    }

    /// The network delivers the request of a create twice. Another client deletes the row right after the replica has
    /// read it.
    @Test(arguments: [TablesVariant.azure, .community])
    func rowOfACreateThatIsDeliveredTwiceIsReadOnce(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        let id = try await world.store.create("Holiday", ["n": 2])
        let server = world.server
        server.put("Holiday", id, ["n": 2])
        server.afterEachRequest { request in
            guard request.method == "GET", request.target.contains(id) else { return }
            server.afterEachRequest(nil)
            server.delete("Holiday", id)
        }
        try await world.settle()
        #expect(try world.store.rejections().isEmpty)
        #expect(world.live == ["row": ["n": 1]])
        #expect(try world.store.fields("Holiday", id) == nil)
    }

    @Test(arguments: TablesVariant.allCases, Loss.allCases)
    func tableDeletionWithALostRequestOrReplyIsExecuted(_ variant: TablesVariant, _ loss: Loss) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        world.server.fail(loss.effect) { $0.method == "DELETE" }
        try await world.store.delete("Holiday", "row")
        try await world.settle()
        #expect(world.live.isEmpty)
    }

    /// Only an unchanged row version proves that an increment was not applied. Otherwise a user must decide.
    @Test(arguments: TablesVariant.allCases, Loss.allCases)
    func incrementWithALostRequestOrReplyIsAppliedOnceOrBecomesAConflict(
        _ variant: TablesVariant, _ loss: Loss
    ) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        world.server.fail(loss.effect) { ["PATCH", "PUT"].contains($0.method) }
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        for _ in 0..<3 {
            _ = await world.engine.sync()
            world.clock.advance(.seconds(120))
        }
        let questions = try world.store.conflicts(resolved: false)
        #expect(questions.map(\.kind) == (loss == .reply ? [.wasThisApplied] : []))
        for question in questions { try await world.store.resolveConflict(question.id, keep: "applied", fields: nil) }
        try await world.settle()
        #expect(world.live == ["row": ["n": 2]])
    }

    /// Each write stores its operation id in a text column of the row, which proves later that the write was applied.
    @Test(arguments: TablesVariant.allCases, Loss.allCases)
    func operationIdProvesAnIncrementWithALostRequestOrReply(_ variant: TablesVariant, _ loss: Loss) async throws {
        let world = try await DatasyncWorld(variant) { $0.columns?.append(.init("op", .text)) }
        try await world.store.configureClass("Holiday") { options, _ in options.opField = "op" }
        world.server.put("Holiday", "row", ["n": 1])
        try await world.sync()
        world.clock.advance(.seconds(30))
        world.server.fail(loss.effect) { ["PATCH", "PUT"].contains($0.method) }
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        for _ in 0..<3 {
            _ = await world.engine.sync()
            world.clock.advance(.seconds(120))
        }
        #expect(try world.store.conflicts(resolved: false).isEmpty)
        #expect(try await world.store.figures().pending == 0)
        #expect(world.live["row"]?["n"] == 2)
        #expect(try world.store.fields("Holiday", "row")?["op"] == nil)
    }

    /// The network delivers the request twice. The server refuses the second delivery, because the first has changed
    /// the row version.
    @Test(arguments: TablesVariant.allCases)
    func incrementThatIsDeliveredTwiceIsAppliedOnce(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant) { $0.columns?.append(.init("op", .text)) }
        try await world.store.configureClass("Holiday") { options, _ in options.opField = "op" }
        world.server.put("Holiday", "row", ["n": 1])
        try await world.sync()
        world.server.fail(.duplicated) { ["PATCH", "PUT"].contains($0.method) }
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        _ = await world.engine.sync()
        _ = await world.engine.sync()
        #expect(try await world.store.figures().pending == 0)
        #expect(world.live["row"]?["n"] == 2)
    }

    /// Another client deletes an object that this replica has created and not pulled yet.
    @Test(arguments: TablesVariant.allCases)
    func remoteDeletionBeforeTheFirstPullIsDetected(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        let id = try await world.store.create("Holiday", ["n": 2])
        let server = world.server
        server.afterEachRequest { request in
            guard request.method == "POST" else { return }
            server.afterEachRequest(nil)
            server.delete("Holiday", id)
        }
        try await world.settle()
        #expect(world.live == ["row": ["n": 1]])
        #expect(try world.store.fields("Holiday", id) == nil)
    }

    /// Another client deletes the object before the first pull. The local edit must become a conflict and not a
    /// rejection.
    @Test(arguments: TablesVariant.allCases)
    func aLocalEditOfARowDeletedBeforeTheFirstPullIsAConflict(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1])
        let id = try await world.store.create("Holiday", ["n": 2])
        world.server.fail(.requestLost, times: nil) { $0.method == "GET" }
        _ = await world.engine.sync()
        world.server.clearFaults()
        world.server.delete("Holiday", id)
        try await world.store.update("Holiday", id, ["n": 5])
        for _ in 0..<3 {
            _ = await world.engine.sync()
            world.clock.advance(.seconds(120))
        }
        #expect(try world.store.rejections().isEmpty)
        #expect(try world.store.conflicts(resolved: false).map(\.kind) == [.deletedRemotely])
    }

    /// Undeletion takes two requests: an undelete and an update. The answer to one of them is lost.
    @Test(arguments: [TablesVariant.azure, .community], 1...3)
    func undeletedRowHasTheLocalValuesDespiteLostAnswers(_ variant: TablesVariant, lost: Int) async throws {
        let world = try await DatasyncWorld.sharing(variant, ["n": 1, "name": "a"])
        try await world.store.update("Holiday", "row", ["n": 2])
        world.server.delete("Holiday", "row")
        _ = await world.engine.sync()
        let conflict = try #require(try world.store.conflicts(resolved: false).first)
        try await world.store.resolveConflict(conflict.id, keep: "local", fields: nil)
        world.server.fail(.replyLost, times: lost) { $0.method != "GET" }
        try await world.settle(max: 8)
        #expect(world.live["row"] == ["n": 2, "name": "a"])
    }
}
