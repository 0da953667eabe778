import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@Suite("Mapping of a class to a table")
struct ClassMappingTests {
    private static let date: JSONValue = ["__type": "Date", "iso": "2027-07-16T00:00:00.000Z"]
    private static let country = Pointer(className: "Country", objectId: "no").json

    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica) { $0.valueRules = TableRules(typed: ["Parse"]) }
        try await store.registerClass("Holiday")
    }

    private func declare(_ fields: [String: FieldType], table: String? = nil) async throws {
        try await store.configureClass("Holiday") { options, _ in
            options.mapping = ClassMapping(table: table, fields: fields)
        }
    }

    private func mapping() async throws -> [String: FieldType] { try await store.sync.mapping(of: "Holiday").fields }

    private func pullState() async throws -> PullState? {
        try await store.sync.syncClasses().first { $0.name == "Holiday" }?.pulls.first
    }

    /// Stores a page with one row and its cursor, as a pull under the current mapping of the class does.
    @discardableResult
    private func pullPage(_ fields: JSONObject, of pull: PullId? = nil) async throws -> PullTally {
        let known = try #require(try await store.sync.syncClasses().first { $0.name == "Holiday" })
        return try await store.sync.apply(
            [.upsert(.make("row", fields))], of: pull ?? known.id(of: .all), cursor: PullCursor(text: "c1"),
            began: ParseDate(milliseconds: 5000), isLast: true)
    }

    // MARK: Declared types

    @Test func theDeclaredTableMappingOfAClassSurvivesARestart() async throws {
        let directory = try TemporaryDirectory()
        let mapping = ClassMapping(
            table: "/api/day", fields: ["date": .date, "link": .pointer("Country"), "photo": .file, "data": .bytes])
        do {
            let store = try LocalStore.make(.replica, in: directory)
            try await store.configureClass("Day") { options, _ in options.mapping = mapping }
        }
        let store = try LocalStore.make(.replica, in: directory)
        #expect(try await store.sync.syncClasses().first?.options.mapping == mapping)
        #expect(try await store.sync.mapping(of: "Day") == mapping)
    }

    @Test func laterWritesMustFitTheDeclaredTypeOfAField() async throws {
        try await declare(["date": .date, "link": .pointer("Country")])
        await #expect(throws: ParseError.schemaMismatch("Holiday", "date", expected: .date, got: .string)) {
            try await store.create(["date": "2027-07-16"])
        }
        await #expect(
            throws: ParseError.schemaMismatch("Holiday", "link", expected: .pointer("Country"), got: .pointer("City"))
        ) { try await store.create(["link": Pointer(className: "City", objectId: "x").json]) }
        try await store.create(["date": Self.date, "link": Self.country])
        #expect(try store.schema(of: "Holiday")?["date"]?.type == .date)
    }

    @Test func aDeclaredTypeCanReplaceOnlyTheTypeString() async throws {
        try await store.takeRemoteSchemas([
            ClassSchema("Holiday", added: ["date": SchemaField(.string), "n": SchemaField(.number)])
        ])
        try await declare(["date": .date])
        #expect(try store.schema(of: "Holiday")?["date"]?.type == .date)
        await #expect(throws: ParseError.schemaMismatch("Holiday", "n", expected: .number, got: .date)) {
            try await declare(["n": .date])
        }
        #expect(try await mapping() == ["date": .date])
    }

    @Test func declaredTypesSurviveTheRemotesSchemas() async throws {
        try await declare(["date": .date, "link": .pointer("Country")])
        for types in [[:], ["date": SchemaField(.string), "n": SchemaField(.number)]] {
            try await store.takeRemoteSchemas([ClassSchema("Holiday", added: types)])
            #expect(try await mapping() == ["date": .date, "link": .pointer("Country")])
            #expect(try store.schema(of: "Holiday")?["date"]?.type == .date)
        }
    }

    @Test func aFieldThatIsNoLongerDeclaredHasNoType() async throws {
        try await declare(["date": .date, "data": .bytes])
        try await declare(["data": .bytes])
        #expect(try await mapping() == ["data": .bytes])
        try await store.create(["date": "text"])
        try await declare([:])
        #expect(try await mapping().isEmpty)
    }

    @Test func unregisteringAClassRemovesItsDeclaredTypes() async throws {
        try await declare(["date": .date])
        try await store.unregisterClass("Holiday", purge: true)
        try await store.registerClass("Holiday")
        #expect(try await mapping().isEmpty)
    }

    // MARK: Values of local writes

    @Test func aWrittenValueDeclaresNoTypeForItsField() async throws {
        let id = try await store.create(["text": "b"])
        for value in [Self.date, Self.country] {
            await #expect(throws: ParseError.self) { try await store.create(["date": value]) }
            await #expect(throws: ParseError.self) { try await store.update(id, ["date": value]) }
        }
        #expect(try await mapping().isEmpty)
        try await store.update(id, ["date": "text"])
        #expect(try store.fields(id) == ["text": "b", "date": "text"])
    }

    @Test func aClassWithParseTypesHasNoTableMapping() async throws {
        try await store.create(["date": Self.date, "list": [1]], of: "Parse")
        #expect(try await store.sync.mapping(of: "Parse") == ClassMapping())
        #expect(try await store.sync.syncClasses().first { $0.name == "Parse" }?.mapping == nil)
        try await store.create(["date": "text"], of: "Parse")
    }

    // MARK: Rows that were pulled before

    @Test func aChangedTableMappingPullsAllRowsAgain() async throws {
        try await pullPage(["date": "2027-07-16T00:00:00.000Z"])
        #expect(try await pullState()?.cursor != nil)
        try await declare(["date": .date])
        #expect(try await pullState()?.cursor == nil)
        // The row has the same time and version as before.
        #expect(try await pullPage(["date": Self.date]).upserted == 1)
        #expect(try store.fields("row") == ["date": Self.date])
        #expect(try await pullState()?.cursor != nil)
        // The same mapping again changes nothing.
        try await declare(["date": .date])
        #expect(try await pullState()?.cursor != nil)
    }

    @Test func aChangedTablePathPullsAllRowsAgain() async throws {
        try await pullPage(["n": 1])
        try await declare([:], table: "/tables/day")
        #expect(try await pullState() == PullState(pull: .all))
    }

    @Test func aPageReadWithAnEarlierTableMappingIsIgnored() async throws {
        let pull = try #require(try await store.sync.syncClasses().first { $0.name == "Holiday" }?.id(of: .all))
        try await declare(["date": .date])
        try await pullPage(["date": "2027-07-16T00:00:00.000Z"], of: pull)
        #expect(try store.fields("row") == nil)
        #expect(try await pullState()?.cursor == nil)
    }

    @Test(arguments: [ConflictPolicy.merge, .remote, .local, .manual])
    func aRowConvertedByANewTableMappingIsNoRemoteEdit(policy: ConflictPolicy) async throws {
        let other: JSONValue = ["__type": "Date", "iso": "2028-01-01T00:00:00.000Z"]
        try await store.configureClass("Holiday") { options, _ in options.policy = policy }
        try await pullPage(["date": "2027-07-16T00:00:00Z"])
        try await declare(["date": .date])
        try await store.update("row", ["date": other])
        try await pullPage(["date": Self.date])
        #expect(try store.fields("row") == ["date": other])
        #expect(try store.conflicts(resolved: true).isEmpty)
        #expect(try store.conflicts(resolved: false).isEmpty)
        #expect(try store.state("row") == .updated)
    }

    @Test func aRowConvertedByANewTableMappingIsNoConflictWithADeletion() async throws {
        try await pullPage(["link": "no"])
        try await store.delete("row")
        try await declare(["link": .pointer("Country")])
        try await pullPage(["link": Self.country])
        #expect(try store.conflicts(resolved: false).isEmpty)
        #expect(try store.object("Holiday", "row") == nil)
    }
}
