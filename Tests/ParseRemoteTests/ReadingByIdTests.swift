import HTTPClient
import ParseModel
import RemoteService
import Testing

@testable import ParseRemote

@Suite struct ReadingByIdTests {
    private func row(_ objectId: String, createdAt: Int64 = 0) -> JSONValue {
        let iso = JSONValue.string(ParseDate(milliseconds: createdAt).iso)
        return ["objectId": .string(objectId), "createdAt": iso, "updatedAt": iso]
    }

    @Test func aFetchOfNoIdsSendsNoRequest() async throws {
        let transport = ScriptedTransport()
        #expect(try await ParseRemote.make(transport).fetch("Holiday", objectIds: []).isEmpty)
        #expect(await transport.sent.isEmpty)
    }

    @Test func aHundredIdsAreReadInOneQuery() async throws {
        let rows = (0..<250).map { FakeClass.Row(objectId: "id\($0)", createdMicroseconds: 0, updatedMicroseconds: 0) }
        let fake = FakeClass(rows: rows, pageMax: 1000)
        let transport = ScriptedTransport(answering: { fake.answer($0) })
        let found = try await ParseRemote.make(transport).fetch("Holiday", objectIds: rows.map(\.objectId))
        #expect(found.map(\.objectId).sorted() == rows.map(\.objectId).sorted())
        let items = await transport.sent.map { $0.json?.object?["requests"]?.array ?? [] }
        #expect(items.map(\.count) == [3])
        #expect(items.first?.map { $0.object?["body"]?.object?["limit"] } == [100, 100, 50])
    }

    /// A server may return fewer rows than requested, so only an empty answer proves that an object is missing.
    @Test func anObjectCountsAsMissingOnlyAfterAnEmptyAnswer() async throws {
        let transport = ScriptedTransport(
            .make(["results": [row("a")]]), .make(["results": [row("c")]]), .make(["results": []]))
        let found = try await ParseRemote.make(transport).fetch("Holiday", objectIds: ["a", "b", "c"])
        #expect(found.map(\.objectId) == ["a", "c"])
        #expect(
            await transport.sent.map { $0.query["where"] } == [
                ["objectId": ["$in": ["a", "b", "c"]]], ["objectId": ["$in": ["b", "c"]]], ["objectId": ["$in": ["b"]]],
            ])
    }

    @Test(arguments: [["a", "x"], ["a", "a"]] as [[String]])
    func unrequestedObjectsInAnAnswerAreAnError(answered: [String]) async {
        let remote = ParseRemote.make(ScriptedTransport(.make(["results": .array(answered.map { row($0) })])))
        #expect(
            await word { () async throws(RemoteError) in
                _ = try await remote.fetch("Holiday", objectIds: ["a", "b", "c"])
            } == "faulty 200")
    }

    @Test func theListOfCreatedObjectsIsInOrderOfCreation() async throws {
        let transport = ScriptedTransport(.make(["results": []]))
        _ = try await ParseRemote.make(transport).created(in: "Holiday", since: ParseDate(milliseconds: 1000))
        #expect(
            await transport.sent.map(\.query) == [
                [
                    "where": ["createdAt": ["$gte": ["__type": "Date", "iso": "1970-01-01T00:00:01.000Z"]]],
                    "order": "createdAt,objectId", "limit": "1000",
                ]
            ])
    }

    @Test func theListOfCreatedObjectsStopsAtTenThousand() async throws {
        let rows = (0..<12_000).map {
            FakeClass.Row(objectId: "id\($0)", createdMicroseconds: Int64($0) * 1000, updatedMicroseconds: 0)
        }
        let fake = FakeClass(rows: rows, pageMax: 3000)
        let remote = ParseRemote.make(ScriptedTransport(answering: { fake.answer($0) }), pageSize: 3000)
        let found = try await remote.created(in: "Holiday", since: ParseDate(milliseconds: 0))
        #expect(found.count == 10_000 && found.last?.createdAt == ParseDate(milliseconds: 9999))
    }

    /// New objects of other clients do not extend the listing.
    @Test func theListOfCreatedObjectsStopsAtTheStartTime() async throws {
        let began = try #require(ParseDate(iso: "2026-11-21T01:29:11Z")).milliseconds
        let page = JSONValue.object(["results": [row("a", createdAt: began), row("b", createdAt: began + 1001)]])
        let transport = ScriptedTransport(.make(page))
        let found = try await ParseRemote.make(transport).created(in: "Holiday", since: ParseDate(milliseconds: 0))
        #expect(found.map(\.objectId) == ["a", "b"])
        #expect(await transport.sent.count == 1)
    }
}
