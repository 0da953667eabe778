import Foundation
import ParseModel
import TablesServer
import Testing

/// Tests the real program as a replica of a table server, over real sockets.
@Suite("Running gateway as a replica of a table server", .serialized, .timeLimit(.minutes(10)))
struct DatasyncDaemonTests {
    private static let christmas: JSONValue = ["__type": "Date", "iso": "2012-12-25T00:00:00.000Z"]

    private func server(_ variant: TablesVariant) throws -> TablesServer {
        let tables = ["Holiday", "Birthday"].map { name in
            var table = TablesServer.Table(
                name,
                columns: [
                    .init("name", .text), .init("date", .date), .init("details", .text), .init("observedBy", .number),
                    .init("image", .text),
                ], dialect: variant.dialect)
            table.keepsTombstones = variant.keepsTombstones
            return table
        }
        return try TablesServer(
            variant.dialect, tables: tables,
            now: { Int64(Date().timeIntervalSince1970 * 1_000_000) })
    }

    private func replica(of server: TablesServer, _ directory: TemporaryDirectory, port: Int = 0) async throws -> Daemon
    {
        try await Daemon(
            directory, port: port,
            ["--remote", server.url, "--class", "Holiday", "--class", "Birthday"])
    }

    @Test(arguments: TablesVariant.allCases)
    func objectsSyncInBothDirectionsOnlineAndOffline(_ variant: TablesVariant) async throws {
        let server = try server(variant)
        server.put("Holiday", "easter", ["name": "Easter", "date": "2013-03-31T00:00:00.000Z"])
        server.put("Birthday", "ada", ["name": "Ada", "date": "1815-12-10T00:00:00.000Z"])
        let directory = try TemporaryDirectory()
        let replica = try await replica(of: server, directory)
        for name in ["Holiday", "Birthday"] {
            let options: JSONValue = ["fields": ["date": "Date", "image": "File"]]
            #expect(try await replica.send(.put, "/sync/classes/\(name)", options).status == 200)
        }
        #expect(try await replica.sync().status == 200)
        #expect(
            try await replica.send(.get, "/classes/Birthday/ada").json.object?["date"]
                == ["__type": "Date", "iso": "1815-12-10T00:00:00.000Z"])

        // Offline: every write is accepted, and a query by date is answered.
        server.fail(.requestLost, times: nil)
        let id = try await replica.create(["name": "Christmas", "date": Self.christmas])
        #expect(try await replica.send(.put, "/classes/Holiday/easter", ["details": "eggs"]).status == 200)
        #expect(try await replica.send(.delete, "/classes/Birthday/ada").status == 200)
        let condition = #"{"date":{"$gte":{"__type":"Date","iso":"2013-01-01T00:00:00.000Z"}}}"#
        let found = try await replica.send(.get, "/classes/Holiday?where=" + PercentCoding.encoded(condition))
        #expect(found.json.object?["results"]?.array?.map { $0.object?["objectId"] } == ["easter"])
        #expect(try await replica.sync().status == 503)

        // Back online. Another client has added a row meanwhile.
        server.clearFaults()
        server.put("Holiday", "may", ["name": "May Day"])
        #expect(try await replica.sync().status == 200)
        #expect(server.live("Holiday")[id] == ["name": "Christmas", "date": "2012-12-25T00:00:00.000Z"])
        #expect(server.live("Holiday")["easter"]?["details"] == "eggs")
        #expect(server.live("Birthday").isEmpty)
        #expect(try await Set(replica.holidays().keys) == ["easter", "may", id])
        let pending = try await replica.send(.get, "/sync/pending").json.object?["results"]?.array
        #expect(pending == [])
    }

    /// The requests of the JavaScript SDK: each is a POST of plain text, with method and keys as members of the body.
    @Test(arguments: [TablesVariant.azure, .community])
    func sdkRequestsToAReplicaOfTablesWorkOfflineAndAfterReconnecting(_ variant: TablesVariant) async throws {
        let server = try server(variant)
        server.put("Holiday", "easter", ["name": "Easter", "date": "2013-03-31T00:00:00.000Z"])
        let directory = try TemporaryDirectory()
        let replica = try await replica(of: server, directory)
        try await replica.send(.put, "/sync/classes/Holiday", ["fields": ["date": "Date"]])
        #expect(try await replica.sync().status == 200)
        func js(_ method: String, _ path: String, _ data: JSONObject) async throws -> Daemon.Answer {
            var body = data
            body["_method"] = .string(method)
            body["_ApplicationId"] = "app"
            body["_ClientVersion"] = "js3.4.2"
            return try await replica.send(.post, path, .object(body), contentType: "text/plain")
        }
        server.fail(.requestLost, times: nil)
        let saved = try await js("POST", "/classes/Holiday", ["name": "Christmas", "date": Self.christmas])
        let id = try #require(saved.json.object?["objectId"]?.string)
        let path = JSONValue.string("/classes/Holiday/\(id)")
        let several: JSONValue = [
            ["method": "PUT", "path": path, "body": ["details": ["__op": "Delete"]]],
            ["method": "PUT", "path": path, "body": ["observedBy": ["__op": "Increment", "amount": 2]]],
            ["method": "DELETE", "path": "/classes/Holiday/easter", "body": [:]],
        ]
        #expect(try await js("POST", "/batch", ["requests": several]).json.array?.count == 3)
        let condition: JSONValue = ["date": ["$lte": Self.christmas]]
        let found = try await js("GET", "/classes/Holiday", ["where": condition, "order": "-date", "limit": 10])
        let results = try #require(found.json.object?["results"]?.array)
        #expect(results.map { $0.object?["objectId"] } == [.string(id)])
        #expect(results.first?.object?["observedBy"] == 2)
        #expect(results.first?.object?["date"] == Self.christmas)

        server.clearFaults()
        #expect(try await replica.sync().status == 200)
        #expect(
            server.live("Holiday")
                == [id: ["name": "Christmas", "date": "2012-12-25T00:00:00.000Z", "observedBy": 2]])
    }

    /// The replica refuses a write whose values no column can store, or whose object exceeds the server's size limit,
    /// before it stores the write.
    @Test func valuesThatATableCannotStoreAreRefusedAtOnce() async throws {
        let server = try server(.azure)
        let directory = try TemporaryDirectory()
        let replica = try await replica(of: server, directory)
        #expect(try await replica.sync().status == 200)
        let bodies: [(JSONValue, Int)] = [
            (["name": ["a", "b"]], 111), (["name": ["a": 1]], 111),
            (["name": ["__type": "GeoPoint", "latitude": 1, "longitude": 1]], 111),
            (["id": "x"], 105), (["deleted": true], 105),
            (["name": .string(String(repeating: "x", count: 102_400))], 116),
        ]
        for (body, code) in bodies {
            let answer = try await replica.send(.post, "/classes/Holiday", body)
            #expect(answer.json.object?["code"]?.int == code, "\(answer.json.jsonText)")
        }
        #expect(try await replica.holidays().isEmpty)
        #expect(!server.requests.contains { $0.hasPrefix("POST") })
    }

    /// The data directory stores the server's dialect, which limits the size of a body. The limit holds before the
    /// server has answered.
    @Test func objectOverTheTableServersSizeLimitIsRefusedAfterAnOfflineStart() async throws {
        let server = try server(.azure)
        let directory = try TemporaryDirectory()
        do {
            let replica = try await replica(of: server, directory)
            #expect(try await replica.sync().status == 200)
            replica.end(SIGTERM)
        }
        server.fail(.requestLost, times: nil)
        let replica = try await replica(of: server, directory)
        let long: JSONValue = ["name": .string(String(repeating: "x", count: 102_400))]
        #expect(try await replica.send(.post, "/classes/Holiday", long).json.object?["code"] == 116)
    }

    /// The program is killed between a write and its answer.
    @Test(arguments: [TablesVariant.azure, .community])
    func killBetweenATableWriteAndItsAnswerLosesNothing(_ variant: TablesVariant) async throws {
        let server = try server(variant)
        server.put("Holiday", "easter", ["name": "Easter", "observedBy": 1])
        let directory = try TemporaryDirectory()
        var daemon: Daemon? = try await replica(of: server, directory)
        #expect(try await daemon?.sync().status == 200)
        let running = try #require(daemon)
        let id = try await running.create(["name": "Christmas"])
        _ = try await running.send(.put, "/classes/Holiday/easter", ["name": "Pascha"])
        server.afterEachRequest { request in
            if request.method != "GET" { running.kill() }
        }
        _ = try? await running.sync()
        running.end(SIGKILL)
        daemon = nil
        server.afterEachRequest(nil)
        let again = try await replica(of: server, directory)
        #expect(try await again.sync().status == 200)
        #expect(server.live("Holiday") == ["easter": ["name": "Pascha", "observedBy": 1], id: ["name": "Christmas"]])
        #expect(try await again.send(.get, "/sync").json.object?["pending"] == 0)
    }

    /// A missing table delays only the changes of its own class.
    @Test func aMissingTableDoesNotStopTheSyncOfOthers() async throws {
        let server = try server(.azure)
        let directory = try TemporaryDirectory()
        let replica = try await replica(of: server, directory)
        #expect(try await replica.sync().status == 200)
        server.change("Birthday") { $0.isHidden = true }
        #expect(try await replica.send(.post, "/classes/Birthday", ["name": "Ada"]).status == 201)
        server.put("Holiday", "easter", ["name": "Easter"])
        let id = try await replica.create(["name": "Christmas"])
        _ = try await replica.sync()
        #expect(try await Set(replica.holidays().keys) == ["easter", id])
        #expect(server.live("Holiday")[id] == ["name": "Christmas"])
        #expect(try await replica.send(.get, "/sync").json.object?["rejections"] == 0)
    }

    /// The first start detects the kind of the server and stores it in the data directory. A later start needs no
    /// connection.
    @Test func startAfterTheFirstOneNeedsNoReachableRemote() async throws {
        let server = try server(.community)
        server.put("Holiday", "easter", ["name": "Easter"])
        let directory = try TemporaryDirectory()
        var daemon: Daemon? = try await replica(of: server, directory)
        #expect(try await daemon?.sync().status == 200)
        daemon = nil
        server.close()
        let again = try await replica(of: server, directory)
        #expect(try await Set(again.holidays().keys) == ["easter"])
        #expect(try await again.send(.put, "/classes/Holiday/easter", ["name": "Pascha"]).status == 200)
        #expect(try await again.send(.get, "/sync").json.object?["pending"] == 1)
    }

    /// Calls that only a Parse Server can answer get an error. They do not change the class.
    @Test func parseOnlyCallsAreRefusedByAReplicaOfTables() async throws {
        let server = try server(.azure)
        let directory = try TemporaryDirectory()
        let replica = try await replica(of: server, directory)
        for path in ["/functions/hello", "/login"] {
            let answer = try await replica.send(.post, path, ["username": "a", "password": "b"])
            #expect(answer.status >= 400)
            #expect(answer.json.object?["error"]?.string?.isEmpty == false, "\(answer.json.jsonText)")
        }
        #expect(!server.requests.contains { $0.contains("functions") || $0.contains("login") })
    }
}
