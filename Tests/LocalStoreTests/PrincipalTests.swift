import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

/// The store applies the rights of the principal to each read, query and write.
@Suite struct PrincipalTests {
    private let store: LocalStore
    private let ada: String
    private static let mail: JSONValue = "ada@example.org"

    init() async throws {
        store = try LocalStore.make()
        ada = try await store.create(["username": "ada", "email": Self.mail], of: "_User")
        try await store.create(["by": Pointer(className: "_User", objectId: ada).json], of: "Post")
        try await store.create(["sessionToken": "r:1"], of: "_Session")
    }

    private func users(as principal: Principal) throws -> [JSONObject] {
        try store.find("_User", ParseQuery(), as: principal).objects.map { try $0.fields(of: "_User") }
    }

    @Test func hiddenFieldsAreLeftOutOfReads() throws {
        #expect(try store.object("_User", ada, as: .master)?.fields(of: "_User")["email"] == Self.mail)
        #expect(try users(as: .master).map { $0["email"] } == [Self.mail])
        #expect(try store.object("_User", ada, as: .public)?.fields(of: "_User")["email"] == nil)
        #expect(try users(as: .public).map { $0["email"] } == [nil])
        #expect(try users(as: .public).map { $0["username"] } == ["ada"])
    }

    @Test(arguments: [
        ("_User", #"{"email":"ada@example.org"}"#, ""), ("_User", "{}", "-email"),
        ("Post", #"{"by":{"$inQuery":{"className":"_User","where":{"email":{"$exists":true}}}}}"#, ""),
        (
            "Post",
            #"{"name":{"$select":{"key":"email","query":{"className":"_User","where":{}}}}}"#, ""
        ),
        ("_Session", "{}", ""), ("_Installation", "{}", ""),
        ("Post", #"{"by":{"$inQuery":{"className":"_Session","where":{}}}}"#, ""),
    ])
    func queriesThatReadHiddenFieldsOrClassesAreRefused(className: String, conditions: String, order: String) throws {
        let query = try ParseQuery(parameters: ["where": .string(conditions), "order": .string(order)])
        #expect(throws: ParseError.self) { try store.find(className, query, as: .public) }
        #expect(throws: ParseError.self) {
            try store.explain(className, query, as: .public, timeout: .unlimited)
        }
        _ = try store.find(className, query, as: .master)
    }

    @Test func readsOfAHiddenClassAreRefused() throws {
        #expect(throws: ParseError.noSession) {
            try store.object("_Session", "any", as: .public)
        }
    }

    @Test func writesWithoutTheRightChangeNothing() async throws {
        let update = WriteRequest.update(className: "_User", objectId: ada, body: ["username": "eve"])
        let delete = WriteRequest.delete(className: "_User", objectId: ada)
        for atomically in [true, false] {
            let results = await store.perform([update, delete], as: .public, atomically: atomically)
            for result in results { #expect(throws: ParseError.self) { try result.get() } }
        }
        #expect(try users(as: .master).map { $0["username"] } == ["ada"])
    }

    @Test func theFeedOfAReplicaHidesObjectsOfSpecialClasses() async throws {
        let replica = try LocalStore.make(.replica)
        try await replica.create(["username": "ada"], of: "_User")
        try await replica.create(["n": 1], of: "Post")
        let shown = { (principal: Principal) in
            try replica.changes(since: 0, classes: ["_User", "Post"], limit: 10, as: principal).entries
                .map { $0.json != nil }
        }
        #expect(try shown(.master) == [true, true])
        #expect(try shown(.public) == [false, true])
    }

    @Test func theAnswerToAStaleWriteShowsNoHiddenField() async throws {
        let object = try #require(try store.object("_User", ada, as: .public))
        let tag = object.contentMark.tag
        try await store.update(ada, ["username": "eve"], of: "_User")
        let late = WriteRequest.update(
            className: "_User", objectId: ada, body: ["username": "mallory"],
            terms: WriteTerms(match: .tags([tag])))
        let result = await store.perform([late], as: .master, atomically: false)[0]
        guard case .failure(StoreError.stale(let seen)) = result else {
            Issue.record("the write was not refused as stale: \(result)")
            return
        }
        #expect(try seen.fields(of: "_User")["email"] == Self.mail)
        #expect(try seen.shown(by: AccessRules(.public, ClassRights("_User"))).fields(of: "_User")["email"] == nil)
    }
}

/// Tests the read-only master key and the maintenance key at the store.
@Suite struct OwnersPrincipalTests {
    private static let created: JSONValue = ["__type": "Date", "iso": "2019-03-01T00:00:00.000Z"]
    private static let updated: JSONValue = ["__type": "Date", "iso": "2020-03-01T00:00:00.000Z"]
    private let store: LocalStore

    init() throws { store = try LocalStore.make() }

    private func create(_ body: JSONObject, as principal: Principal) async throws -> WriteReceipt {
        try await store.perform([.create(className: "Post", body: body)], as: principal, atomically: false)[0].get()
    }

    @Test func theReadOnlyMasterKeyCannotWrite() async throws {
        let id = try await store.create(["n": 1], of: "Post")
        let writes: [WriteRequest] = [
            .create(className: "Post", body: [:]), .update(className: "Post", objectId: id, body: ["n": 2]),
            .delete(className: "Post", objectId: id),
        ]
        for result in await store.perform(writes, as: .readOnlyMaster, atomically: false) {
            #expect(
                throws: ParseError.denial(
                    .operationForbidden, "Cannot perform a write operation when using readOnlyMasterKey")
            ) {
                try result.get()
            }
        }
        #expect(try store.object("Post", id, as: .readOnlyMaster)?.fields(of: "Post")["n"] == 1)
    }

    @Test func theMaintenanceKeyMaySetTheTimesOfNewObjects() async throws {
        let given: JSONObject = ["createdAt": Self.created, "updatedAt": Self.updated]
        let receipt = try await create(given, as: .maintenance)
        #expect(
            [receipt.createdAt.iso, receipt.updatedAt.iso] == ["2019-03-01T00:00:00.000Z", "2020-03-01T00:00:00.000Z"])
        let shown = try store.object("Post", receipt.objectId, as: .master)?.fields(of: "Post")
        #expect(shown?["createdAt"] == "2019-03-01T00:00:00.000Z")
        #expect(shown?["updatedAt"] == "2020-03-01T00:00:00.000Z")
        let once = try await create(["createdAt": Self.created], as: .maintenance)
        #expect(once.updatedAt == once.createdAt)
        for principal in [Principal.public, .master] {
            #expect(try await create(given, as: principal).createdAt.iso != "2019-03-01T00:00:00.000Z")
        }
    }

    @Test func aCreationTimeAfterTheUpdateTimeIsRefused() async throws {
        let reversed: JSONObject = ["createdAt": Self.updated, "updatedAt": Self.created]
        await #expect(throws: ParseError(.validationFailed, "updatedAt cannot occur before createdAt")) {
            try await create(reversed, as: .maintenance)
        }
    }
}
