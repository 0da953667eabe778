import ParseModel
import StoreService
import Testing

/// Tests the parameter `include` and the selection of fields.
@Suite struct IncludeTests {
    private static let times = #""createdAt":"2026-11-21T01:29:11.000Z","updatedAt":"2026-11-21T01:29:11.000Z""#

    private let gateway: Gateway

    init() {
        let store = MemoryStore("Country", ids: [])
        store.state.withLock {
            $0.objects = [
                "Holiday": [
                    (
                        "day",
                        [
                            "name": "x", "link": Self.pointer("Country", "no"), "gone": Self.pointer("Country", "nope"),
                            "far": Self.pointer("Star", "sun"), "obj": ["link": Self.pointer("City", "oslo"), "n": 1],
                            "list": [
                                Self.pointer("Country", "no"), 1, Self.pointer("Country", "nope"),
                                Self.pointer("City", "oslo"),
                            ],
                        ]
                    )
                ],
                "Country": [("no", ["code": "NO", "size": 5, "capital": Self.pointer("City", "oslo")])],
                "City": [("oslo", ["name": "Oslo", "country": Self.pointer("Country", "no")])],
            ]
        }
        gateway = .make(store: store)
    }

    private static func pointer(_ className: String, _ id: String) -> JSONValue {
        Pointer(className: className, objectId: id).json
    }

    private func day(_ query: String) async throws -> JSONObject {
        let list = try await gateway.send("GET /classes/Holiday?\(query)").json.object?["results"]?.array ?? []
        // A single object is shown in the same form as in a list.
        if !query.contains("includeAll") {
            #expect(try await gateway.send("GET /classes/Holiday/day?\(query)").json == list.first)
        }
        return try #require(list.first?.object)
    }

    private static let country =
        #"{"objectId":"no",\#(times),"code":"NO","size":5,"capital":\#(pointer("City", "oslo").jsonText)"#
    private static let object = #""__type":"Object","className":"Country"}"#

    @Test func includeReplacesPointersByObjects() async throws {
        let day = try await day("include=link")
        #expect(day["link"]?.jsonText == "\(Self.country),\(Self.object)")
        #expect(day["obj"]?.object?["link"] == Self.pointer("City", "oslo"))
        #expect(day["name"] == "x")
    }

    @Test func pointersToMissingObjectsAreLeftOutOfAnInclude() async throws {
        let day = try await day("include=gone,far,name,nothing,obj")
        #expect(day["gone"] == nil)
        #expect(day["far"] == nil)
        #expect(day["name"] == "x")
    }

    @Test func includeKeepsPointersToUnsyncedClasses() async throws {
        let replica = Gateway.make(store: gateway.store, sync: FakeSync())
        let day = try await replica.send("GET /classes/Holiday/day?include=gone,far").json.object
        #expect(day?["gone"] == nil)
        #expect(day?["far"] == Self.pointer("Star", "sun"))
    }

    @Test func pointersInsideArraysAndObjectsAreIncluded() async throws {
        let day = try await day("include=list,obj.link")
        let list = try #require(day["list"]?.array)
        #expect(list.map { $0.object?["className"]?.string } == ["Country", nil, "City"])
        #expect(list[0].jsonText == "\(Self.country),\(Self.object)")
        #expect(day["obj"]?.object?["link"]?.object?["name"] == "Oslo")
    }

    @Test func anIncludePathMayHaveSeveralLevels() async throws {
        let link = try #require(try await day("include=link.capital.country")["link"]?.object)
        #expect(link["capital"]?.object?["country"]?.object?["code"] == "NO")
        #expect(link["capital"]?.object?["country"]?.object?["capital"] == Self.pointer("City", "oslo"))
        let inList = try #require(try await day("include=list.capital")["list"]?.array?.first?.object)
        #expect(inList["capital"]?.object?["name"] == "Oslo")
    }

    @Test(arguments: ["include=*", "includeAll=true", "include=name,*"]) func includeAllIncludesEveryPointerOfTheObject(
        query: String
    ) async throws {
        let day = try await day(query)
        #expect(day["link"]?.object?["code"] == "NO")
        #expect(day["link"]?.object?["capital"] == Self.pointer("City", "oslo"))
        #expect(day["list"]?.array?.count == 3)
        #expect(day["gone"] == nil)
        #expect(day["obj"]?.object?["link"] == Self.pointer("City", "oslo"))
    }

    @Test func keysWithAPathIncludeThePointerAndSelectItsFields() async throws {
        let day = try await day("keys=link.code,link.capital.name")
        #expect(day.keys == ["link", "objectId", "createdAt", "updatedAt"])
        let link = try #require(day["link"]?.object)
        #expect(link.keys == ["code", "capital", "objectId", "createdAt", "updatedAt", "__type", "className"])
        #expect(link["capital"]?.object?.keys.first == "name")
        #expect(link["capital"]?.object?["country"] == nil)
        #expect(try await self.day("keys=name&include=link").keys == ["name", "objectId", "createdAt", "updatedAt"])
        #expect(try await self.day("keys=name&include=*")["link"]?.object?["code"] == "NO")
    }

    @Test func excludedKeysAreAbsentFromTheAnswer() async throws {
        let day = try await day("excludeKeys=name,objectId,list,link.size,obj.n,createdAt")
        #expect(Set(day.keys) == ["link", "gone", "far", "obj", "objectId", "createdAt", "updatedAt"])
        let link = try #require(day["link"]?.object)
        #expect(link["size"] == nil && link["code"] == "NO")
        // As in Parse Server, only top-level fields are omitted, not nested ones.
        #expect(day["obj"]?.object?["n"] == 1)
        #expect(
            try await self.day("keys=name,far&excludeKeys=far").keys == ["name", "objectId", "createdAt", "updatedAt"])
    }

    @Test func includedObjectsCountTowardsTheAnswersSize() async throws {
        gateway.store.state.withLock {
            $0.objects["Holiday"] = [("day", ["l": .array(Array(repeating: Self.pointer("L", "l"), count: 1000))])]
            $0.objects["L"] = [("l", ["l": .array(Array(repeating: Self.pointer("L", "l"), count: 1000))])]
        }
        let answer = await gateway.send("GET /classes/Holiday?include=l.l.l")
        #expect(answer.status == 400)
        #expect(try answer.json.object?["code"] == 116)
    }

    @Test func textSearchScoresAreShown() async throws {
        let query = #"GET /classes/City?where={"name":{"$text":{"$search":{"$term":"oslo"}}}}&order=$score&keys="#
        let found = await gateway.send(query + "$score")
        expect(found, 200, #"{"results":[{"objectId":"oslo",\#(Self.times),"score":1}]}"#)
        let named = try await gateway.send(query + "name,$score").json.object?["results"]?.array?.first?.object
        #expect(named?["name"] == "Oslo" && named?["score"] == 1)
    }

    @Test func relatedToQueryFindsTheTargetClassByTheRelationsName() async throws {
        gateway.store.state.withLock {
            $0.objects["Holiday"]?[0].fields["cities"] = ["__type": "Relation", "className": "City"]
        }
        let owner = Self.pointer("Holiday", "day").jsonText
        for (key, className, id) in [("cities", "City", "oslo"), ("nothing", "Holiday", "day")] {
            let query = #"?redirectClassNameForKey=\#(key)&where={"$relatedTo":{"object":\#(owner),"key":"\#(key)"}}"#
            let found = try await gateway.send("GET /classes/Holiday\(query)").json.object?["results"]?.array?.first?
                .object
            #expect(found?["objectId"]?.string == id)
            #expect(found?["className"]?.string == className)
        }
    }

    @Test func anExplainedQueryReturnsItsPlanInsteadOfObjects() async {
        let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
        let answer = await gateway.send(
            "GET /classes/Holiday?explain=true&include=link&hint=x&comment=y", ["X-Parse-Master-Key": "master"])
        expect(answer, 200, #"{"results":[{"sql":"SELECT 1","plan":["SCAN","  INNER"]}]}"#)
    }

    /// Without a limit, a thousand pointers to one large object would make an answer of a gigabyte.
    @Test func includedObjectsAreLimitedInBytes() async throws {
        let store = MemoryStore("Country", ids: [])
        store.state.withLock {
            $0.objects = [
                "Holiday": [("day", ["list": .array(Array(repeating: Self.pointer("Country", "no"), count: 1000))])],
                "Country": [("no", ["name": .string(String(repeating: "x", count: 1000))])],
            ]
        }
        let gateway = Gateway.make(store: store) { $0.limits.answerBytesMax = 100_000 }
        for path in ["/classes/Holiday?include=list", "/classes/Holiday/day?include=list"] {
            let answer = await gateway.send("GET \(path)")
            #expect(answer.status == 400)
            #expect(try answer.json.object?["code"] == 116)
        }
        #expect(await gateway.send("GET /classes/Holiday").status == 200)
    }
}
