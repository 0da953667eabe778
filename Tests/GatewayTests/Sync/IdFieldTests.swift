import Foundation
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

/// Tests local ids that an app stores in text fields. The remote replaces the ids of new objects.
@Suite("Object ids in text fields")
struct IdFieldTests {
    private let world: World
    private var store: LocalStore { world.replica.store }

    init() async throws {
        world = try await World.make()
        try await store.registerClass("Person")
        try await world.replica.sync()
    }

    private static let fields: JSONObject = ["ownerId": "Person", "parts": "Person", "meta": "Person"]

    private func declare() async throws {
        try await world.replica.set(["idFields": .object(Self.fields)])
    }

    /// Creates a holiday that contains a person's id as a text: in fields, in an array and inside an object.
    private func holiday(of person: String) async throws -> String {
        try await store.create(
            "Holiday",
            [
                "ownerId": .string(person), "parts": [.string(person), "other"], "title": .string(person),
                "meta": ["by": ["id": .string(person)]],
            ])
    }

    /// The remote's only holiday.
    private func remoteHoliday() throws -> JSONObject { try #require(try world.hub.store.all("Holiday").values.first) }

    private func expectIds(_ id: String, in holiday: JSONObject, title: String) {
        #expect(holiday["ownerId"]?.string == id)
        #expect(holiday["parts"] == [.string(id), "other"])
        #expect(holiday["meta"] == ["by": ["id": .string(id)]])
        #expect(holiday["title"]?.string == title)
    }

    private func sync() async throws {
        for _ in 0..<2 {
            world.clock.advance(.seconds(30))
            try await world.replica.sync()
        }
    }

    /// The id of the remote's only person.
    private func remotePerson() throws -> String { try #require(try world.hub.store.all("Person").keys.first) }

    @Test(arguments: [true, false])
    func localIdsInDeclaredIdFieldsAreSentAsRemoteIds(isDeclaredFirst: Bool) async throws {
        if isDeclaredFirst { try await declare() }
        let person = try await store.create("Person", ["name": "Ada"])
        let id = try await holiday(of: person)
        if !isDeclaredFirst { try await declare() }
        try await sync()
        let remote = try remotePerson()
        #expect(remote != person)
        expectIds(remote, in: try remoteHoliday(), title: person)
        // The local object is still found by its local id.
        expectIds(remote, in: try #require(try store.fields("Holiday", id)), title: person)
    }

    @Test(arguments: [
        #"{"ownerId":"ID"}"#, #"{"parts":"ID"}"#, #"{"meta.by.id":"ID"}"#, #"{"ownerId":{"$in":["x","ID"]}}"#,
        #"{"$or":[{"ownerId":"ID"},{"n":1}]}"#, #"{"ownerId":"ID","title":"ID"}"#,
    ])
    func queryByALocalIdInATextFieldFindsTheObjectAfterTheIdWasReplaced(condition: String) async throws {
        try await declare()
        let person = try await store.create("Person", ["name": "Ada"])
        _ = try await holiday(of: person)
        try await sync()
        #expect(try remotePerson() != person)
        let query = try ParseQuery(parameters: [
            "where": try JSONReader.read(condition.replacingOccurrences(of: "ID", with: person))
        ])
        #expect(try store.find("Holiday", query).objects.count == 1)
    }

    /// The app continues to write the local id, which is the only one that it knows.
    @Test func localIdThatWasReplacedIsReplacedInLaterWrites() async throws {
        try await declare()
        let person = try await store.create("Person", ["name": "Ada"])
        try await sync()
        let id = try await holiday(of: person)
        let remote = try remotePerson()
        expectIds(remote, in: try #require(try store.fields("Holiday", id)), title: person)
        try await sync()
        expectIds(remote, in: try remoteHoliday(), title: person)
        try await store.update("Holiday", id, ["parts": ["__op": "AddUnique", "objects": [.string(person)]]])
        try await sync()
        #expect(try remoteHoliday()["parts"] == [.string(remote), "other"])
    }

    /// Two new objects contain each other's ids, and the first also its own.
    @Test func newObjectsThatNameEachOtherByIdInTextFieldsAreSent() async throws {
        try await declare()
        try await world.replica.set(["idFields": ["holiday": "Holiday", "self": "Person"]], of: "Person")
        let person = try await store.create("Person", ["name": "Ada"])
        let id = try await store.create("Holiday", ["ownerId": .string(person)])
        try await store.update("Person", person, ["holiday": .string(id), "self": .string(person)])
        try await sync()
        let remote = try remotePerson()
        #expect(try remoteHoliday()["ownerId"]?.string == remote)
        let fields = try #require(try world.hub.store.all("Person").values.first)
        #expect(fields["self"]?.string == remote)
        #expect(try fields["holiday"]?.string == world.hub.store.all("Holiday").keys.first)
        #expect(try await store.figures().pending == 0)
    }

    @Test func localIdsInUndeclaredTextFieldsAreSentUnchanged() async throws {
        let person = try await store.create("Person", ["name": "Ada"])
        _ = try await holiday(of: person)
        try await sync()
        #expect(try remoteHoliday()["ownerId"]?.string == person)
        let found = try LocalStoreKind().replacedIds(in: world.directories[1].path)
        #expect(found?.fields.map(\.name) == ["meta", "ownerId", "parts", "title"])
        #expect(found?.fields.allSatisfy { $0.className == "Holiday" && $0.objects == 1 } == true)
    }

    @Test func declaredIdFieldsNeverContainAReplacedLocalId() async throws {
        try await declare()
        _ = try await holiday(of: try await store.create("Person", ["name": "Ada"]))
        try await sync()
        #expect(try LocalStoreKind().replacedIds(in: world.directories[1].path)?.fields.map(\.name) == ["title"])
    }

    @Test(arguments: [
        #"{"idFields":["ownerId"]}"#, #"{"idFields":{"a.b":"Person"}}"#, #"{"idFields":{"a":"no class"}}"#,
    ])
    func anInvalidOptionForIdFieldsIsRefused(text: String) async throws {
        let options = try #require(try JSONReader.read(text).object)
        let error = await #expect(throws: ParseError.self) { try await world.replica.set(options) }
        #expect(error?.code == .invalidQuery)
    }
}
