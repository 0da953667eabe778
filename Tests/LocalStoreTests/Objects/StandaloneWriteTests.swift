import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Synchronization
import Testing

@Suite("Writes in standalone mode")
struct StandaloneWriteTests {
    @Test func aCreatedObjectIsReadInTheFormOfTheAPI() async throws {
        let store = try LocalStore.make()
        let receipt = try await store.write(
            .create(
                className: "Holiday",
                body: ["name": "Eid", "date": ["__type": "Date", "iso": "2024-04-10T00:00:00.5Z"]]))
        #expect(receipt.objectId.count == 10)
        #expect(receipt.createdAt == receipt.updatedAt)
        #expect(receipt.echoed.isEmpty)
        let found = try #require(try store.object("Holiday", receipt.objectId))
        #expect(
            found.jsonText == """
                {"objectId":"\(receipt.objectId)","createdAt":"2023-11-14T22:13:20.000Z",\
                "updatedAt":"2023-11-14T22:13:20.000Z","name":"Eid",\
                "date":{"__type":"Date","iso":"2024-04-10T00:00:00.500Z"}}
                """)
        #expect(found.state == .synced)
    }

    @Test func anUpdateChangesOnlyItsFieldsAndTheUpdateTime() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        let id = try await store.create(["name": "Eid", "n": 1])
        clock.advance(.seconds(5))
        let receipt = try await store.update(id, ["n": 2])
        #expect(receipt.updatedAt == clock.now)
        let json = try #require(try store.json(id))
        #expect(json["createdAt"] == "2023-11-14T22:13:20.000Z")
        #expect(json["updatedAt"] == "2023-11-14T22:13:25.000Z")
        #expect(try store.fields(id) == ["name": "Eid", "n": 2])
    }

    @Test func anEmptyUpdateChangesOnlyTheUpdateTime() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        let id = try await store.create(["n": 1])
        clock.advance(.milliseconds(7))
        try await store.update(id, [:])
        #expect(try store.json(id)?["updatedAt"] == "2023-11-14T22:13:20.007Z")
    }

    @Test func aFieldSetToNullIsShownAsAbsent() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["a": nil, "b": 1, "c": 1])
        try await store.update(id, ["b": nil, "c": ["__op": "Delete"]])
        #expect(try store.fields(id) == [:])
    }

    @Test func aDeletionRemovesTheObject() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["n": 1])
        try await store.delete(id)
        #expect(try store.object("Holiday", id) == nil)
        #expect(try store.ids().isEmpty)
    }

    struct Operation: Sendable, CustomTestStringConvertible {
        let operation: JSONValue
        let result: JSONValue
        var testDescription: String { operation.jsonText }
    }

    @Test(arguments: [
        Operation(operation: .op("Add", "b", "b"), result: ["a", "b", "b"]),
        Operation(operation: .op("AddUnique", "a", "b", "b"), result: ["a", "b"]),
        Operation(operation: .op("Remove", "a"), result: []),
    ])
    func theAnswerToAnArrayOperationContainsTheWholeArray(_ operation: Operation) async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["tags": ["a"], "name": "x"])
        let receipt = try await store.update(id, ["tags": operation.operation, "name": "y"])
        #expect(receipt.echoed == ["tags": operation.result])
        #expect(try store.fields(id) == ["tags": operation.result, "name": "y"])
    }

    @Test func theAnswerToAnUpdateContainsSumsAndNoDeletedFields() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["n": 5, "name": "x"])
        let receipt = try await store.update(id, ["n": .increment(3), "m": .increment(2), "name": ["__op": "Delete"]])
        #expect(receipt.echoed == ["n": 8, "m": 2])
        #expect(try store.fields(id) == ["n": 8, "m": 2])
    }

    @Test func operationsInACreateStartFromAnAbsentValue() async throws {
        let store = try LocalStore.make()
        let receipt = try await store.write(
            .create(className: "Holiday", body: ["n": .increment(2), "tags": .op("AddUnique", "a", "a")]))
        #expect(receipt.echoed == ["n": 2, "tags": ["a"]])
    }

    // MARK: Schema

    static let mismatches: [(String, JSONObject)] = [
        ("expected Number but got String", ["n": "five"]),
        ("expected String but got Number", ["name": .increment(1)]),
        ("expected Date but got String", ["date": "2024-01-01T00:00:00.000Z"]),
        ("expected Array but got Number", ["tags": 3]),
        ("expected Number but got Array", ["n": .op("Add", 1)]),
        (
            "expected Pointer<Country> but got Pointer<City>",
            ["in": ["__type": "Pointer", "className": "City", "objectId": "x"]]
        ),
        ("expected Boolean but got Number", ["ok": 1]),
    ]

    @Test(arguments: mismatches.indices)
    func aValueOfAnotherTypeIsRefused(_ index: Int) async throws {
        let (words, body) = Self.mismatches[index]
        let store = try LocalStore.make()
        let id = try await store.create([
            "n": 1, "name": "x", "date": ["__type": "Date", "iso": "2024-01-01T00:00:00.000Z"], "tags": [], "ok": true,
            "in": ["__type": "Pointer", "className": "Country", "objectId": "x"],
        ])
        let before = try store.json(id)
        for request in [
            WriteRequest.update(className: "Holiday", objectId: id, body: body),
            .create(className: "Holiday", body: body),
        ] {
            let error = await #expect(throws: ParseError.self) { try await store.write(request) }
            #expect(error?.code == .incorrectType)
            #expect(error?.message.hasSuffix(words) == true)
        }
        #expect(try store.json(id) == before)
        #expect(try store.ids() == [id])
        #expect(try store.changes(since: 0, classes: nil, limit: 10).entries.count == 1)
    }

    @Test func theTypeOfAFieldSurvivesTheDeletionOfItsObjects() async throws {
        let store = try LocalStore.make()
        try await store.delete(try await store.create(["n": 1]))
        await #expect(throws: ParseError.self) { try await store.create(["n": "x"]) }
        try await store.create(["n": "x"], of: "Birthday")
    }

    @Test func aRefusedWriteAddsNoFieldToTheSchema() async throws {
        let store = try LocalStore.make()
        try await store.create(["n": 1])
        await #expect(throws: ParseError.self) { try await store.create(["fresh": 1, "n": "x"]) }
        try await store.create(["fresh": "a text after all"])
    }

    // MARK: Errors

    @Test func aWriteToAMissingObjectIsRefusedWithCode101() async throws {
        let store = try LocalStore.make()
        try await store.create(["n": 1])
        await #expect(throws: ParseError.objectNotFound) { try await store.update("nope", ["n": 2]) }
        await #expect(throws: ParseError.objectNotFound) { try await store.delete("nope") }
        await #expect(throws: ParseError.objectNotFound) { try await store.update("nope", ["n": 2], of: "Nothing") }
        #expect(try store.object("Holiday", "nope") == nil)
        #expect(try store.classNames() == ["Holiday"])
    }

    @Test func anInvalidClassNameIsRefused() async throws {
        let store = try LocalStore.make()
        let error = await #expect(throws: ParseError.self) { try await store.create(["a": 1], of: "1bad") }
        #expect(error?.code == .invalidJSON)
        #expect(try store.classNames().isEmpty)
    }

    // MARK: Ids and times

    @Test func aChosenIdIsRefusedWithoutTheSetting() async throws {
        let store = try LocalStore.make()
        let error = await #expect(throws: ParseError.self) { try await store.create(["objectId": "mine", "n": 1]) }
        #expect(error?.code == .invalidFieldName)
        #expect(try store.ids().isEmpty)
    }

    @Test(arguments: ["objectId", "id"], [StoreIdentity.standalone, .replica])
    func aCreateWithAFieldNamedIdIsRefused(_ name: String, _ identity: StoreIdentity) async throws {
        let store = try LocalStore.make(identity)
        await #expect(throws: ParseError(.invalidFieldName, "\(name) is an invalid field name.")) {
            try await store.create([name: "mine"])
        }
        for nothing in ["", nil] as [JSONValue] { try await store.create([name: nothing]) }
    }

    @Test func aChosenIdIsKeptAndADuplicateRefused() async throws {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        #expect(try await store.create(["objectId": "mine", "n": 1]) == "mine")
        let error = await #expect(throws: ParseError.self) { try await store.create(["objectId": "mine", "n": 2]) }
        #expect(error?.code == .duplicateValue)
        #expect(try store.fields("mine") == ["n": 1])
        #expect(try await store.create(["n": 3]).count == 10)
        #expect(try await store.create(["objectId": "mine"], of: "Birthday") == "mine")
    }

    @Test(arguments: [JSONValue.null, "", 5, "a/b", "a b", "a\u{0}b", .string(String(repeating: "x", count: 257))])
    func anInvalidChosenIdIsRefused(_ id: JSONValue) async throws {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        await #expect(throws: ParseError.self) { try await store.create(["objectId": id]) }
        #expect(try store.ids().isEmpty)
    }

    @Test func updateTimesNeverDecrease() async throws {
        let clock = TestClock()
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(in: directory, clock: clock)
        let id = try #require(try await store?.create(["n": 1]))
        clock.advance(.seconds(-60))
        #expect(try await store?.update(id, ["n": 2]).updatedAt.iso == "2023-11-14T22:13:20.000Z")
        store = nil
        store = try LocalStore.make(in: directory, clock: clock)
        #expect(try await store?.update(id, ["n": 3]).updatedAt.iso == "2023-11-14T22:13:20.000Z")
    }

    @Test func commitObserversAreCalledForWritesAndNotForReads() async throws {
        let writes = Mutex(0)
        let store = try LocalStore.make { $0.onLocalWrite = { writes.withLock { $0 += 1 } } }
        try await store.create(["n": 1])
        _ = try store.ids()
        #expect(writes.withLock { $0 } == 1)
    }
}
