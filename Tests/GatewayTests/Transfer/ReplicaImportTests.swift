import ParseModel
import StoreService
import StoreSupport
import Testing

/// Imports into a replica are local changes that wait to be sent.
@Suite struct ReplicaImportTests {
    private func objects(_ count: Int) -> [ImportedObject] {
        (0..<count).map {
            ImportedObject(
                className: "Holiday", fields: ["objectId": .string("import\($0)"), "name": .string("Day \($0)")])
        }
    }

    @Test(arguments: [true, false])
    func importedObjectsArePendingChangesAndARepetitionFindsThemAfterTheSync(acceptsIds: Bool) async throws {
        let world = try await World.make(allowsChosenIds: acceptsIds)
        try await world.replica.sync()
        let store = world.replica.store
        func run(_ pass: ImportPass) async throws -> [ImportOutcome] {
            try await store.objects.transfer.importObjects(
                objects(3).map(store.objects.transfer.prepare), as: .master, pass
            ).map { try $0.get() }
        }
        #expect(try await run(.check) == [.made, .made, .made])
        #expect(try store.decisions.pendingChanges(as: .master).isEmpty)
        #expect(try await run(.write(isLast: true)) == [.made, .made, .made])
        #expect(try store.decisions.pendingChanges(as: .master).count == 3)
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        #expect(try store.decisions.pendingChanges(as: .master).isEmpty)
        #expect(try await run(.write(isLast: true)) == [.unchanged, .unchanged, .unchanged])
        let sent = try world.hub.store.find("Holiday", ParseQuery()).objects
        #expect(sent.count == 3)
        #expect(sent.contains { $0.objectId == "import0" } == acceptsIds)
    }

    @Test(arguments: ["_SCHEMA", "_GlobalConfig"])
    func aReplicaImportsNoSchemasAndNoConfig(className: String) async throws {
        let world = try await World.make()
        let line: JSONObject = ["objectId": "Holiday"]
        let (status, answer) = try await world.replica.send("POST /import/\(className)", line, clock: world.clock)
        #expect(
            status == 400
                && answer.refusalTexts == ["1: \(className) cannot be imported here: import it at the remote."])
    }
}
