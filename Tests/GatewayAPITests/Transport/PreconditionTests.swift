import ParseModel
import StoreService
import Testing

@testable import GatewayAPI

@Suite("Parsing of the write conditions If-Match and _base")
struct PreconditionTests {
    private static let tag = "\"0123456789abcdef0123456789abcdef\""

    @Test(
        arguments: [
            ("*", .exists), (" * ", .exists), (tag, .tags([tag])), (String(tag.dropFirst().dropLast()), .tags([tag])),
            ("7-42", .tags(["\"7-42\""])), ("7-42 ,\"a\"", .tags(["\"7-42\"", "\"a\""])),
            ("\"a\" , \"b\"", .tags(["\"a\"", "\"b\""])), ("W/\"a\"", .tags([])), ("W/\"a\",\"a\"", .tags(["\"a\""])),
            ("\"\"", .tags(["\"\""])), ("\"é,*\"", .tags(["\"é,*\""])),
        ] as [(String, TagMatch)])
    func tagsInIfMatchAreRead(_ text: String, _ match: TagMatch) throws {
        #expect(try Preconditions.match(text) == match)
    }

    @Test(
        arguments: [
            "", " ", "a", "\"a", "a\"", "**", "*,*", "*, \"a\"", "\"a\"\"b\"", "\"a\",", ",\"a\"", "w/\"a\"", "W/a",
            "\"a b\"",
            "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef", "7-", "-42", "7--42", "a-42", "7-42-1", "W/7-42",
            "7-42\"", "\"a\\\"b\"x",
        ])
    func otherTextsInIfMatchAreRefused(_ text: String) {
        let error = #expect(throws: ParseError.self) { try Preconditions.match(text) }
        #expect(error?.code == .invalidQuery)
    }

    @Test(
        arguments: [
            "2026-01-02T03:04:05.678Z", ["__type": "Date", "iso": "2026-01-02T03:04:05.678Z"],
            "2026-01-02T04:04:05.678+01:00",
        ] as [JSONValue])
    func baseDateOfAWriteIsRead(_ value: JSONValue) throws {
        #expect(try Preconditions.base(value).iso == "2026-01-02T03:04:05.678Z")
    }

    @Test func changeFeedShowsTheSyncStateOnRequest() async throws {
        let gateway = Gateway.make()
        gateway.store.change(count: 1)
        let object = #""object":{"objectId":"o1","_sync":{"state":"synced","tag":"\"7-42\""}}}"#
        for query in ["?since=0&_sync=true", "?since=0"] {
            let reader = try EventReader(await gateway.stream(query, [:]))
            let data = await reader.next("change")?.data ?? ""
            #expect(data.hasSuffix(object) == query.contains("_sync"), "\(data)")
        }
        let list = await gateway.send("GET /changes?since=0", ["X-Tidegate-Sync": "true"]).text
        #expect(list.hasPrefix(#"{"results":[{"number":1"#) && list.contains(object))
    }

    @Test func changeFeedMarksObjectsHiddenByTheRemoteOnRequest() async throws {
        let gateway = Gateway.make()
        gateway.store.state.withLock {
            $0.changes = [
                ChangeEntry(
                    number: 1, className: "Holiday", objectId: "o1", kind: .create, json: #"{"objectId":"o1"}"#,
                    isHidden: true)
            ]
        }
        let mark = #""_sync":{"state":"synced","hidden":true,"#
        let reader = try EventReader(await gateway.stream("?since=0&_sync=true", [:]))
        let event = await reader.next("change")
        #expect(event?.data?.contains(mark) == true)
        #expect(await gateway.send("GET /changes?_sync=true").text.contains(mark))
        #expect(await gateway.send("GET /changes").text.contains("hidden") == false)
    }

    @Test func theBaseOfAWriteReachesTheStoreAndIsNotStoredAsAField() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        let body = #"{"n":1,"_base":"2026-01-02T03:04:05.678Z"}"#
        #expect(await gateway.send("PUT /classes/Holiday/a", body: body).status == 200)
        let bases = gateway.store.state.withLock { $0.bases }
        #expect(bases == [ParseDate(iso: "2026-01-02T03:04:05.678Z")])
        #expect(await gateway.send("GET /classes/Holiday/a").text.contains("_base") == false)
    }
}
