import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

/// Relations as local clients see them. They are equal in a standalone store and in an offline replica.
@Suite("Relations")
struct RelationTests {
    static let identities: [StoreIdentity] = [.standalone, .replica]

    private static func make(_ identity: StoreIdentity) async throws -> (store: LocalStore, countries: [String]) {
        let store = try LocalStore.make(identity)
        var countries: [String] = []
        for name in ["Norway", "Oman", "Peru"] {
            countries.append(try await store.create(["name": .string(name)], of: "Country"))
        }
        return (store, countries)
    }

    @Test(arguments: identities) func membersOfARelationAreAddedAndRemoved(identity: StoreIdentity) async throws {
        let (store, countries) = try await Self.make(identity)
        let holiday = try await store.create(["countries": .adding(countries[0], countries[1])])
        #expect(try store.fields(holiday) == ["countries": .relation])
        #expect(try store.members(of: holiday) == [countries[0], countries[1]])
        try await store.update(holiday, ["countries": .removing(countries[0])])
        #expect(try store.members(of: holiday) == [countries[1]])
        try await store.update(
            holiday,
            ["countries": ["__op": "Batch", "ops": [.adding(countries[0], countries[2]), .removing(countries[1])]]])
        #expect(try store.members(of: holiday) == [countries[0], countries[2]])
        try await store.update(holiday, ["countries": .adding(countries[0])])
        #expect(try store.members(of: holiday) == [countries[0], countries[2]])
        #expect(try store.fields(holiday) == ["countries": .relation])
        if identity == .replica { #expect(try store.invariantViolations() == []) }
    }

    @Test(arguments: identities) func answersToWritesDoNotContainChangedRelations(identity: StoreIdentity) async throws
    {
        let (store, countries) = try await Self.make(identity)
        let made = try await store.write(.create(className: "Holiday", body: ["countries": .adding(countries[0])]))
        #expect(made.echoed.isEmpty)
        #expect(try await store.update(made.objectId, ["countries": .removing(countries[0])]).echoed.isEmpty)
    }

    @Test(arguments: identities) func aRelationWithoutMembersIsShown(identity: StoreIdentity) async throws {
        let (store, countries) = try await Self.make(identity)
        let holiday = try await store.create(["countries": .removing(countries[0])])
        #expect(try store.fields(holiday) == ["countries": .relation])
        #expect(try store.members(of: holiday).isEmpty)
    }

    @Test(arguments: identities) func aDeletedMemberIsNotFound(identity: StoreIdentity) async throws {
        let (store, countries) = try await Self.make(identity)
        let holiday = try await store.create(["countries": .adding(countries[0], countries[1], "nowhere")])
        let before = try store.json(holiday)
        try await store.delete(countries[0], of: "Country")
        #expect(try store.members(of: holiday) == [countries[1]])
        #expect(try store.json(holiday) == before)
    }

    @Test(arguments: identities) func theRelationsOfADeletedObjectAreDeleted(identity: StoreIdentity) async throws {
        let (store, countries) = try await Self.make(identity)
        let holiday = try await store.create(["countries": .adding(countries[0])])
        let other = try await store.create(["countries": .adding(countries[0])])
        try await store.delete(holiday)
        #expect(try store.members(of: holiday).isEmpty)
        #expect(try store.members(of: other) == [countries[0]])
        #expect(try store.ids(of: "Country").count == 3)
    }

    @Test(arguments: identities) func relationsAreSeparateByOwnerClassAndField(identity: StoreIdentity) async throws {
        let (store, countries) = try await Self.make(identity)
        let holiday = try await store.create([
            "countries": .adding(countries[0]), "others": .adding(countries[1]),
        ])
        let second = try await store.create(["countries": .adding(countries[2])])
        #expect(try store.members(of: holiday) == [countries[0]])
        #expect(try store.members(of: holiday, "others") == [countries[1]])
        #expect(try store.members(of: second) == [countries[2]])
        #expect(try store.members(of: holiday, "nothing").isEmpty)
        #expect(try store.members(of: holiday, ownerClass: "Birthday").isEmpty)
        #expect(try store.members(of: holiday, of: "Holiday").isEmpty)
    }

    @Test(arguments: identities) func aRefusedWriteChangesNoMembers(identity: StoreIdentity) async throws {
        let (store, countries) = try await Self.make(identity)
        let holiday = try await store.create(["countries": .adding(countries[0]), "name": "x"])
        let city = Pointer(className: "City", objectId: "oslo").json
        let bodies: [JSONObject] = [
            ["countries": ["__op": "AddRelation", "objects": [city]]], ["countries": "text"], ["countries": .null],
            ["countries": ["__op": "Delete"]], ["countries": ["__op": "Add", "objects": [.country("a")]]],
            ["countries": .removing(countries[0]), "name": .increment(1)], ["name": .adding(countries[0])],
        ]
        for body in bodies {
            let error = await #expect(throws: ParseError.self) { try await store.update(holiday, body) }
            #expect(error?.code == .incorrectType, "\(body)")
        }
        #expect(try store.members(of: holiday) == [countries[0]])
        // A client may send back the value of the field that it has read.
        try await store.update(holiday, ["countries": .relation])
        #expect(try store.members(of: holiday) == [countries[0]])
    }

    @Test func theSchemaContainsTheClassOfTheMembers() async throws {
        let store = try LocalStore.make()
        try await store.create(["countries": .adding("a")])
        let city = Pointer(className: "City", objectId: "oslo").json
        await #expect(
            throws: ParseError(
                .incorrectType,
                "schema mismatch for Holiday.countries; expected Relation<Country> but got Relation<City>")
        ) { try await store.create(["countries": ["__op": "AddRelation", "objects": [city]]]) }
        await #expect(throws: ParseError.self) { try await store.create(["countries": "text"]) }
    }

    @Test(arguments: identities) func theFeedReportsAddedAndRemovedMembers(identity: StoreIdentity) async throws {
        let (store, countries) = try await Self.make(identity)
        let holiday = try await store.create(["countries": .adding(countries[0])])
        let start = try store.changes(since: nil, classes: nil, limit: 1).next
        // Within one millisecond, so that nothing in the object itself changes.
        try await store.update(holiday, ["countries": .adding(countries[1])])
        try await store.update(holiday, ["countries": .removing(countries[1])])
        try await store.update(holiday, ["countries": .removing(countries[1])])
        let entries = try store.changes(since: start, classes: nil, limit: 9).entries
        #expect(entries.map(\.kind) == [.update, .update])
        #expect(entries.allSatisfy { $0.objectId == holiday })
    }

    @Test(arguments: identities) func membersSurviveARestart(identity: StoreIdentity) async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(identity, in: directory)
        let country = try #require(try await store?.create([:], of: "Country"))
        let holiday = try #require(try await store?.create(["countries": .adding(country)]))
        store = nil
        store = try LocalStore.make(identity, in: directory)
        #expect(try store?.members(of: holiday) == [country])
    }

    @Test(arguments: identities) func anAtomicGroupChangesAllMembersOrNone(identity: StoreIdentity) async throws {
        let (store, countries) = try await Self.make(identity)
        let holiday = try await store.create(["countries": .adding(countries[0])])
        let results = await store.perform(
            [
                .update(className: "Holiday", objectId: holiday, body: ["countries": .adding(countries[1])]),
                .update(className: "Holiday", objectId: "nowhere", body: ["countries": .adding(countries[1])]),
            ], atomically: true)
        #expect(results.allSatisfy { (try? $0.get()) == nil })
        #expect(try store.members(of: holiday) == [countries[0]])
    }
}
