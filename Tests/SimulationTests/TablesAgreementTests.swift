import Foundation
import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import TablesServer
import Testing

@testable import Simulation

/// The simulated tables server, whose rows are objects, answers as `TablesServer`, whose rows are in memory.
@Suite("Simulated tables server")
struct TablesAgreementTests {
    /// The version that a request names in `If-Match`.
    enum Condition: Sendable { case none, current, stale }

    /// A request to both servers. The body holds columns, and is sent as a whole row in a PUT.
    struct Step: Sendable, CustomStringConvertible {
        var method: HTTPRequest.Method
        var target: String
        var body: JSONObject?
        var condition = Condition.none

        var description: String { "\(method) \(target) \(condition)" }
    }

    private static func step(
        _ method: HTTPRequest.Method, _ target: String, _ body: JSONObject? = nil, _ condition: Condition = .none
    ) -> Step { Step(method: method, target: target, body: body, condition: condition) }

    private static let deleted = "?__includeDeleted=true"

    private static let lists = [
        step(.get, "Note?$orderby=id"), step(.get, "Note\(deleted)&$orderby=id"),
        step(.get, "Note?$filter=a%20eq%20null&$orderby=id&$select=id"),
        step(.get, "Note?$orderby=updatedAt%2Cid&$top=1"),
        step(.get, "Note?$filter=(n%20gt%201%20or%20deleted%20eq%20true)&$orderby=id&__includeDeleted=true"),
    ]

    private static let azure =
        [
            step(.post, "Note", ["id": "x", "title": "x", "n": 1]), step(.post, "Note", ["id": "x", "title": "other"]),
            step(.post, "Note", ["id": "y", "title": "y", "a": "1", "n": 2]),
            step(.patch, "Note/x", ["a": "2"], .current), step(.patch, "Note/x", ["a": "3"], .stale),
            step(.patch, "Note/x", ["n": .null]), step(.patch, "Note/z", ["a": "1"]),
        ] + lists + [
            step(.delete, "Note/x", nil, .stale), step(.delete, "Note/x", nil, .current), step(.delete, "Note/x"),
            step(.delete, "Note/x", nil, .current), step(.get, "Note/x"), step(.get, "Note/y"),
            step(.post, "Note", ["id": "x", "title": "again"]),
        ] + lists + [
            step(.patch, "Note/x", ["b": "late"], .current), step(.post, "Note/x", nil, .stale),
            step(.post, "Note/x", nil, .current), step(.get, "Note/x"), step(.post, "Note/z"), step(.delete, "Note/z"),
        ] + lists

    private static let community =
        [
            step(.post, "Note", ["id": "x", "title": "x", "n": 1]), step(.post, "Note", ["id": "x", "title": "other"]),
            step(.post, "Note", ["id": "y", "title": "y", "a": "1", "n": 2]),
            step(.put, "Note/x", ["id": "x", "title": "x", "a": "2"], .current),
            step(.put, "Note/x", ["id": "x", "title": "z"], .stale), step(.put, "Note/z", ["id": "z", "title": "z"]),
        ] + lists + [
            step(.delete, "Note/x", nil, .stale), step(.delete, "Note/x", nil, .current), step(.delete, "Note/x"),
            step(.get, "Note/x"), step(.get, "Note/x\(deleted)"), step(.get, "Note/y"), step(.get, "Note/z"),
            step(.put, "Note/x", ["id": "x", "title": "late"]), step(.post, "Note", ["id": "x", "title": "again"]),
        ] + lists + [
            step(.put, "Note/x\(deleted)", ["id": "x", "title": "back", "deleted": false], .stale),
            step(.put, "Note/x\(deleted)", ["id": "x", "title": "back", "deleted": false], .current),
            step(.get, "Note/x"), step(.delete, "Note/z"),
        ] + lists

    @Test(arguments: [TablesServer.Dialect.azure, .community], [true, false])
    func theSimulatedTablesAnswerLikeTheReferenceServer(
        _ dialect: TablesServer.Dialect, keepsTombstones: Bool
    ) async throws {
        let clock = SimulatedTime()
        let directory = FileManager.default.temporaryDirectory.path + "/tidegate-tables-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let settings = try #require(Self.settings(dialect, keepsTombstones))
        let simulated = try Self.server(settings, clock, directory)
        let reference = try TablesServer(dialect, tables: settings.tables, now: { clock.nowMs * 1000 })
        defer { reference.close() }
        let client = CurlTransport(configuration: .init())
        defer { client.close() }
        for step in dialect == .azure ? Self.azure : Self.community {
            clock.advance(ms: 10)
            let id = step.target.split(separator: "?")[0].split(separator: "/").dropFirst().first.map(String.init)
            let versions = (
                id.flatMap { simulated.tables?.version(of: Pointer(className: "Note", objectId: $0)) },
                id.flatMap { reference.row("Note", $0)?.version }
            )
            let here = await simulated.answer(
                Self.request(step, at: TablesSettings.url, versions.0), by: ServerHistory.Sender(party: "replica0"))
            let there = try await client.send(Self.request(step, at: reference.url, versions.1))
            #expect(here.status.code == there.status.code, "\(step)")
            #expect(Self.comparable(here.body) == Self.comparable(there.body), "\(step)")
        }
        #expect(simulated.tables?.findings == [])
    }

    private static func settings(_ dialect: TablesServer.Dialect, _ keepsTombstones: Bool) -> TablesSettings? {
        let drawn = (0...99).lazy.map { seed in
            TablesSettings(
                PartyRandom(seed: UInt64(seed), of: "tables"), keepsTombstones: keepsTombstones, pageMax: 50)
        }
        return drawn.first { $0.dialect == dialect && !$0.hasFineTimes }
    }

    private static func server(
        _ tables: TablesSettings, _ time: SimulatedTime, _ directory: String
    ) throws -> SimulatedServer {
        var settings = SimulatedServer.Settings(PartyRandom(seed: 1, of: "settings"), nil, .datasync)
        settings.commitDelayMaxMs = 0
        let random = PartyRandom(seed: 1, of: "server")
        return try SimulatedServer(
            directory: directory, settings: settings, time: time, random: random,
            trace: Trace(time: time, keepsLines: false), behaviour: SimulatedServer.Behaviour(.datasync, seed: 1),
            dataFault: nil, dataFaultRandom: random,
            tables: tables)
    }

    private static func request(_ step: Step, at url: String, _ version: String?) -> HTTPClientRequest {
        var headers: HTTPFields = [.zumoAPIVersion: "2.0.0"]
        switch step.condition {
        case .none: break
        case .current: headers[.ifMatch] = "\"\(version ?? "MA==")\""
        case .stale: headers[.ifMatch] = "\"c3RhbGU=\""
        }
        if step.body != nil { headers[.contentType] = "application/json" }
        return HTTPClientRequest(
            method: step.method, url: "\(url)/tables/\(step.target)", headers: headers,
            body: step.body?.jsonBytes ?? [], isRepeatable: false)
    }

    /// The JSON of a body without versions, times, and the texts of errors.
    private static func comparable(_ body: [UInt8]) -> JSONValue? {
        (try? JSONReader.read(body)).map(comparable)
    }

    private static func comparable(_ json: JSONValue) -> JSONValue {
        if let rows = json.array { return .array(rows.map(comparable)) }
        guard let object = json.object else { return json }
        let members = object.map { ($0.key, comparable($0.value)) }.sorted { $0.0 < $1.0 }
        return .object(
            JSONObject(
                members.filter { !["version", "createdAt", "updatedAt", "error", "nextLink"].contains($0.0) }))
    }
}
