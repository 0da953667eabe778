import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Order, skip, limit and count")
struct QueryOrderTests {
    /// Objects a … f, in the order of their making, each with one of each type.
    private static func store() async throws -> LocalStore {
        let rows: [(String, JSONObject)] = [
            ("a", ["n": 2, "name": "x", "date": QueryRows.date("2020-03-01"), "ok": true, "in": ["rank": 3]]),
            ("b", ["n": 10, "name": "é", "date": QueryRows.date("2020-01-01"), "ok": false, "in": ["rank": 1]]),
            ("c", ["n": 2, "name": "B", "date": QueryRows.date("2020-02-01"), "ok": true, "in": ["rank": 2]]),
            ("d", [:]),
            ("e", ["n": -1.5, "name": "a", "date": QueryRows.date("2019-12-31"), "ok": false, "in": [:]]),
            ("f", ["n": 2, "name": "b"]),
        ]
        let store = try LocalStore.make(.replica)
        try await store.pull(
            rows.enumerated().map { place, row in
                .make(row.0, row.1, createdMs: Int64(place), updatedMs: 100 - Int64(place / 2))
            })
        return store
    }

    /// Texts are ordered by their bytes: B, a, b, x, é.
    static let orders: [(order: String, ids: String)] = [
        ("", "abcdef"),
        ("n", "deacfb"),
        ("-n", "bacfed"),
        ("n,name", "decfab"),
        ("n,-name", "deafcb"),
        ("-n,-objectId", "bfcaed"),
        ("name", "dcefab"),
        ("date", "dfebca"),
        ("-date", "acbedf"),
        ("ok,n", "dfebac"),
        ("in.rank", "defbca"),
        ("objectId", "abcdef"),
        ("-objectId", "fedcba"),
        ("-createdAt", "fedcba"),
        ("updatedAt,-objectId", "fedcba"),
        ("-updatedAt,objectId", "abcdef"),
        ("nothing", "abcdef"),
    ]

    @Test(arguments: orders.indices)
    func objectsAreOrderedBySeveralKeysInTurn(_ index: Int) async throws {
        let (order, ids) = Self.orders[index]
        #expect(try await Self.store().ids(["order": .string(order)]).joined() == ids, "\(order)")
    }

    @Test func skipAndLimitSelectAPageAndDoNotAffectTheCount() async throws {
        let store = try await Self.store()
        let query = try ParseQuery(
            parameters: ["order": "objectId", "skip": 1, "limit": 2, "count": 1, "where": ["n": ["$exists": true]]])
        let found = try store.find("Holiday", query)
        #expect(found.objects.map(\.objectId) == ["b", "c"])
        #expect(found.count == 5)
    }

    @Test func theCountOfMatchesIsReturnedOnlyOnRequest() async throws {
        let store = try await Self.store()
        #expect(try store.find("Holiday", ParseQuery()).count == nil)
        let none = try store.find("Holiday", ParseQuery(limit: 0, wantsCount: true))
        #expect(none.objects.isEmpty)
        #expect(none.count == 6)
        #expect(try store.find("Nothing", ParseQuery(wantsCount: true)).count == 0)
    }

    @Test func aQueryThatSkipsPastTheEndFindsNothing() async throws {
        #expect(try await Self.store().ids(["skip": 6]).isEmpty)
    }

    @Test func theDefaultLimitOfAQueryIsOneHundred() async throws {
        let store = try LocalStore.make()
        let requests = (0..<120).map { WriteRequest.create(className: "Holiday", body: ["n": .int($0)]) }
        _ = await store.perform(requests, atomically: true)
        #expect(try store.ids().count == 100)
        #expect(try store.ids(["limit": 115]).count == 115)
    }

    /// The queries of a replica that pulls pages from this store. Any other query plan reads all objects of the class.
    @Test(arguments: [
        (#"{"updatedAt":{"$gte":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}}}"#, "updated_at>?"),
        (
            #"{"updatedAt":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"},"objectId":{"$gt":"a"}}"#,
            "updated_at=? AND id>?"
        ),
    ])
    func queriesOfPullingReplicasUseTheIndexOfUpdateTimes(_ conditions: String, _ search: String) throws {
        let store = try LocalStore.make()
        let query = try ParseQuery(parameters: [
            "where": .string(conditions), "order": "updatedAt,objectId", "limit": 1000,
        ])
        let plan = try store.explain("Holiday", query, as: .public, timeout: .unlimited).flatMap(\.plan)
        #expect(plan == ["SEARCH objects USING INDEX objects_by_update (class=? AND \(search))"])
    }
}
