import HTTPClient
import ParseModel
import RemoteService
import SyncModel
import Testing

@testable import ParseRemote

/// Tests with lists and messages that exceed the limits.
@Suite("Limits of lists from the remote")
struct ListBoundsTests {
    private static func stamp(_ objectId: String) -> JSONValue {
        [
            "objectId": .string(objectId), "createdAt": "2026-01-01T00:00:00.000Z",
            "updatedAt": "2026-01-01T00:00:00.000Z",
        ]
    }

    /// The last id and the limit in a list request.
    private static func asked(_ request: HTTPClientRequest) -> (last: Int, limit: Int) {
        let parameters = request.method == .post ? request.json?.object ?? [:] : request.query
        let condition = parameters["where"]?.object?["objectId"]?.object?["$gt"]?.string
        let limit = parameters["limit"]?.int ?? parameters["limit"]?.string.flatMap { Int($0) } ?? 0
        return (condition.flatMap { Int($0.drop { $0 == "0" }) } ?? 0, limit)
    }

    private static func id(_ n: Int) -> String { String(String(n + 1_000_000_000).dropFirst()) }

    /// Answers like a server whose lists never end.
    private static func endless(_ request: HTTPClientRequest) -> ScriptedTransport.Answer {
        let (last, limit) = asked(request)
        let page = (1...max(1, limit)).map { stamp(id(last + $0)) }
        return .success(.make(["results": .array(page), "count": 1_000_000_000]))
    }

    private static func remote(_ transport: ScriptedTransport, bounds: ListBounds = ListBounds()) -> ParseRemote {
        var configuration = ParseRemote.Configuration(
            serverURL: "http://h/parse", applicationId: "app", replicaId: "r", pageSize: 8)
        configuration.listBounds = bounds
        return ParseRemote(configuration: configuration, transport: transport)
    }

    private static let tags = RelationPull(
        owner: Pointer(className: "Holiday", objectId: "abc"), field: "tags", memberClass: "Tag")

    @Test(arguments: [ListBounds(idsMax: 20), ListBounds(bytesMax: 200)])
    func anEndlessListOfMembersIsAnError(bounds: ListBounds) async throws {
        let transport = ScriptedTransport(answering: Self.endless)
        await expectTooMuch(of: Self.remote(transport, bounds: bounds)) { remote throws(RemoteError) in
            _ = try await ParseRelations(exchange: remote.exchange).members(of: [Self.tags])
        }
        #expect(await transport.sent.count <= 4)
    }

    @Test(arguments: [ListBounds(idsMax: 20), ListBounds(bytesMax: 200)])
    func anEndlessListOfIdsIsAnError(bounds: ListBounds) async throws {
        let transport = ScriptedTransport(answering: Self.endless)
        await expectTooMuch(of: Self.remote(transport, bounds: bounds)) { remote throws(RemoteError) in
            _ = try await remote.allIds(of: PullQuery(className: "Holiday"), created: [.all])
        }
    }

    private func expectTooMuch(
        of remote: ParseRemote, _ ask: (ParseRemote) async throws(RemoteError) -> Void
    ) async {
        do {
            try await ask(remote)
            Issue.record("the list was accepted")
        } catch {
            guard case .tooMuch = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    /// Answers like a server with twenty objects. Pages of more than two rows are too large.
    private static func narrow(_ request: HTTPClientRequest) -> ScriptedTransport.Answer {
        let (last, limit) = asked(request)
        guard limit <= 2 else { return .failure(.tooLong(reason: "the answer is too long")) }
        let ids = (last + 1)..<min(21, last + 1 + limit)
        return .success(.make(["results": .array(ids.map { stamp(id($0)) }), "count": .int(20 - last)]))
    }

    private static let twenty = (1...20).map(id)

    @Test func tooLargePageOfMembersIsHalved() async throws {
        let remote = Self.remote(ScriptedTransport(answering: Self.narrow))
        #expect(try await ParseRelations(exchange: remote.exchange).members(of: [Self.tags]) == [Self.twenty])
    }

    @Test func tooLargePageOfIdsIsHalved() async throws {
        let remote = Self.remote(ScriptedTransport(answering: Self.narrow))
        let query = PullQuery(className: "Holiday")
        #expect(try await remote.allIds(of: query, created: [.all]) == [Self.twenty])
        let page = try await remote.objectIds(of: query, created: .all, after: nil)
        #expect(page.stamps.map(\.objectId) == [Self.id(1), Self.id(2)] && !page.isLast)
    }

    @Test func tooLargePageOfOwnersIsHalved() async throws {
        let remote = Self.remote(ScriptedTransport(answering: Self.narrow))
        let column = RelationField(className: "Holiday", field: "tags", memberClass: "Tag")
        let page = try await ParseRelations(exchange: remote.exchange).owners([
            OwnersRequest(column: column, memberIds: ["x"])
        ])
        #expect(page == [OwnersPage(ownerIds: [Self.id(1), Self.id(2)], count: 20)])
    }

    @Test func tooLargeRowIsReported() async throws {
        let transport = ScriptedTransport(answering: { _ in .failure(.tooLong(reason: "too long")) })
        await expectTooMuch(of: Self.remote(transport)) { remote throws(RemoteError) in
            _ = try await ParseRelations(exchange: remote.exchange).members(of: [Self.tags])
        }
        #expect(await transport.sent.count == 4)
    }

    @Test(arguments: [2048, 2049])
    func tooLongIdsInAListAreRejected(length: Int) async throws {
        let rows: JSONValue = ["results": [Self.stamp(String(repeating: "x", count: length))]]
        let remote = Self.remote(ScriptedTransport(answering: { _ in .success(.make(rows)) }))
        let page = try? await remote.objectIds(of: PullQuery(className: "Holiday"), created: .all, after: nil)
        #expect((page != nil) == (length == 2048))
    }

    @Test(arguments: [Int.max, (1 << 53) + 1, -1])
    func anInvalidCountInAnAnswerIsRejected(count: Int) async {
        let answer: JSONValue = ["results": [], "count": .int(count)]
        let remote = Self.remote(ScriptedTransport(answering: { _ in .success(.make(answer)) }))
        await #expect(throws: RemoteError.self) {
            try await remote.counts(of: PullQuery(className: "Holiday"), created: [.all])
        }
    }

    @Test func theListOfCreatedObjectsStopsAtItsByteLimit() throws {
        var listing = CreatedListing(className: "Holiday", since: ParseDate(milliseconds: 0), limit: 1)
        for n in 0..<3 {
            let query = try #require(listing.query)
            let date = JSONValue.string(ParseDate(milliseconds: Int64(n + 1) * 1000).iso)
            let row: JSONValue = ["objectId": .string("id\(n)"), "createdAt": date, "updatedAt": date]
            try listing.take(
                ListReply(
                    query: query, answer: .success(["results": [row]]), serverTime: nil,
                    bytes: CreatedListing.bytesMax / 3 + 1))
        }
        #expect(listing.query == nil)
        #expect(listing.found.count == 3)
    }

    @Test func anErrorMessageOfOneVeryLongCharacterIsCut() async {
        let message = "e" + String(repeating: "\u{301}", count: 100_000)
        let remote = ParseRemote.make(
            ScriptedTransport(.make(400, ["code": 142, "error": .string(message)])))
        guard case .refused(_, let text) = await remote.push([.make(.update)])[0] else {
            Issue.record("not refused")
            return
        }
        #expect(text.unicodeScalars.count == 300)
    }

    private static func batch(_ items: JSONValue...) -> ScriptedTransport {
        ScriptedTransport(.make(.array(items)))
    }

    private static let objects = ["Holiday", "Month"].map { Pointer(className: $0, objectId: "a") }
    private static let rows: JSONValue = ["success": ["results": [stamp("a")]]]

    @Test func forbiddenClassDoesNotStopOtherReads() async throws {
        let refused: JSONValue = ["error": ["code": 119, "error": "no"]]
        let remote = ParseRemote.make(Self.batch(refused, Self.rows))
        #expect(try await remote.fetch(Self.objects).map(\.className) == ["Month"])
    }

    /// A failed read does not prove that objects are missing.
    @Test func aFailedReadIsNotTakenForAnEmptyClass() async throws {
        let failed: JSONValue = ["error": ["code": 1, "error": "Internal server error."]]
        let remote = ParseRemote.make(Self.batch(failed, Self.rows))
        await #expect(throws: RemoteError.self) { try await remote.fetch(Self.objects) }
    }
}
