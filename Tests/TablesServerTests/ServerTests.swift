import HTTPClient
import ParseModel
import Synchronization
import TablesServer
import Testing

/// The parts of the server that tests of clients use: faults, the log, the hook, the clock and direct access to rows.
@Suite(.timeLimit(.minutes(5)))
struct ServerTests {
    @Test(arguments: TablesServer.Dialect.allCases)
    func aLostRequestIsNotExecuted(dialect: TablesServer.Dialect) async throws {
        let server = try TablesServer.make(dialect)
        server.fail(.requestLost) { $0.method == "POST" }
        let client = TablesClient(server)
        #expect(try await client.send("GET /tables/Holiday").status == 200)
        await #expect(throws: HTTPTransportError.self) { try await client.send("POST /tables/Holiday", ["id": "a"]) }
        #expect(server.row("Holiday", "a") == nil)
        #expect(try await client.send("POST /tables/Holiday", ["id": "a"]).status == 201)
    }

    @Test(arguments: TablesServer.Dialect.allCases)
    func aRequestWithALostReplyIsExecuted(dialect: TablesServer.Dialect) async throws {
        let server = try TablesServer.make(dialect)
        server.fail(.replyLost) { $0.bodyText.contains("\"a\"") }
        let client = TablesClient(server)
        await #expect(throws: HTTPTransportError.self) { try await client.send("POST /tables/Holiday", ["id": "a"]) }
        #expect(server.row("Holiday", "a") != nil)
        #expect(try await client.send("POST /tables/Holiday", ["id": "a"]).status == 409)
    }

    @Test func aConfiguredAnswerReplacesTheExecutionOfARequest() async throws {
        let server = try TablesServer.make(.azure)
        server.fail(.answer(status: 503, body: "{\"error\":\"busy\"}"), times: nil)
        let client = TablesClient(server)
        for _ in 0..<2 { #expect(try await client.send("POST /tables/Holiday", ["id": "a"]).status == 503) }
        server.clearFaults()
        #expect(server.live("Holiday").isEmpty)
        #expect(try await client.send("POST /tables/Holiday", ["id": "a"]).status == 201)
    }

    @Test func theRequestLogContainsEachRequestWithItsIfMatchHeader() async throws {
        let server = try TablesServer.make(.azure)
        let client = TablesClient(server)
        _ = try await client.send("GET /tables/Holiday?$top=1")
        _ = try await client.send("DELETE /tables/Holiday/a", nil, [(.ifMatch, "\"MQ==\"")])
        #expect(server.requests == ["GET /tables/Holiday?$top=1", "DELETE /tables/Holiday/a If-Match=\"MQ==\""])
        server.clearRequests()
        #expect(server.requests.isEmpty)
    }

    @Test func theTestHookRunsBetweenARequestAndItsResponse() async throws {
        let server = try TablesServer.make(.azure)
        server.afterEachRequest { [weak server] request in
            if request.isWrite { server?.put("Holiday", "a", ["name": "theirs"]) }
        }
        let reply = try await TablesClient(server).send("POST /tables/Holiday", ["id": "a", "name": "mine"])
        #expect(reply["name"] == "mine")
        #expect(server.row("Holiday", "a")?.fields == ["name": "theirs"])
        #expect(server.row("Holiday", "a")?.version == "Mg==")
    }

    @Test(arguments: TablesServer.Dialect.allCases)
    func updateTimesOfRowsCanBeFinerThanMilliseconds(dialect: TablesServer.Dialect) async throws {
        let server = try TablesServer.make(dialect, clock: TestClock(step: 250))
        for id in ["a", "b", "c"] { server.put("Holiday", id, [:]) }
        let literal =
            dialect == .azure
            ? "datetimeoffset'2023-11-14T22:13:20.000Z'" : "cast(2023-11-14T22:13:20.000Z,Edm.DateTimeOffset)"
        let client = TablesClient(server)
        let page = try await client.send("GET /tables/Holiday?$orderby=updatedAt,id")
        let rows = page.json.array ?? page["items"]?.array ?? []
        #expect(rows.map { $0.object?["updatedAt"] } == Array(repeating: "2023-11-14T22:13:20.000Z", count: 3))
        #expect(try await client.send("GET /tables/Holiday?$filter=updatedAt%20gt%20\(literal)").ids.count == 3)
        #expect(try await client.send("GET /tables/Holiday?$filter=updatedAt%20eq%20\(literal)").ids == [])
    }

    @Test func keysetPagingReadsManyRowsOfOneUpdateTime() async throws {
        let server = try TablesServer.make(.azure)
        server.put("Holiday", (0..<500).map { ("r\(1000 + $0)", ["rank": .int($0)]) }, at: 1_700_000_000_000_000)
        let client = TablesClient(server)
        var ids: [String] = []
        while true {
            let time = "datetimeoffset'2023-11-14T22:13:20.000Z'"
            let filter = "(updatedAt gt \(time)) or (updatedAt eq \(time) and id gt '\(ids.last ?? "")')"
            let page = try await client.send(
                "GET /tables/Holiday?$orderby=updatedAt,id&$filter=\(filter.replacing(" ", with: "%20"))")
            if page.ids.isEmpty { break }
            #expect(page.ids.count == 50)
            ids += page.ids
        }
        #expect(ids == (0..<500).map { "r\(1000 + $0)" })
    }

    @Test func theSwaggerRouteDescribesColumnsAndTypes() async throws {
        let server = try TablesServer.make(.azure, answersSwagger: true)
        let reply = try await TablesClient(server).send("GET /swagger")
        let properties = reply["definitions"]?.object?["Holiday"]?.object?["properties"]?.object
        #expect(properties?["date"] == ["type": "string", "format": "date-time"])
        #expect(properties?["rank"] == ["type": "number", "format": "float"])
        #expect(properties?["version"] == ["type": "string", "readOnly": true])
    }

    @Test func aClosedTablesServerRefusesConnections() async throws {
        let server = try TablesServer.make(.azure)
        let client = TablesClient(server)
        #expect(try await client.send("GET /tables/Holiday").status == 200)
        server.close()
        await #expect(throws: HTTPTransportError.self) { try await client.send("GET /tables/Holiday") }
    }

    @Test func aTablesServerHasNoRowsAfterAReset() async throws {
        let server = try TablesServer.make(.azure)
        server.put("Holiday", "a", ["name": "x"])
        server.delete("Holiday", "a")
        #expect(server.row("Holiday", "a")?.isDeleted == true)
        server.undelete("Holiday", "a")
        #expect(server.live("Holiday") == ["a": ["name": "x"]])
        server.removeAll()
        #expect(server.row("Holiday", "a") == nil)
    }
}
