import HTTPClient
import HTTPTypes
import LocalStore
import ParseModel
import RemoteService
import SyncModel
import Synchronization
import Testing

@testable import Gateway

/// Runs the whole gateway over sockets, with a remote whose rows have no types: dates and pointers are texts.
@Suite("Classes that are mapped to tables", .timeLimit(.minutes(5)))
struct TableMappingTests {
    private static let text = "2027-07-16T00:00:00.000Z"
    private static let date: JSONValue = ["__type": "Date", "iso": .string(text)]

    /// Holds the remote that the gateway has created, for the test.
    private final class Made: Sendable {
        private let remote = Mutex<TableRemote?>(nil)
        func set(_ made: TableRemote) { remote.withLock { $0 = made } }
        func get() throws -> TableRemote { try #require(remote.withLock { $0 }) }
    }

    private struct Setting {
        let url: String
        let remote: TableRemote

        func send(
            _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil
        ) async throws -> (status: Int, json: JSONObject) {
            let response = try await CurlTransport().send(
                HTTPClientRequest(
                    method: method, url: url + path, headers: [.contentType: "application/json"],
                    body: body?.jsonBytes ?? [], isRepeatable: false))
            return (response.status.code, try JSONReader.read(response.body).object ?? [:])
        }

        func sync() async throws { #expect(try await send(.post, "/sync?wait=true").status == 200) }

        func field(_ name: String, of objectId: String) async throws -> JSONValue? {
            try await send(.get, "/classes/Holiday/\(objectId)").json[name]
        }
    }

    /// Runs `body` with a gateway whose remote has the row `there` of the class Holiday.
    /// - Parameter values: the values that the remote stores.
    private func withGateway(
        _ values: RemoteCapabilities.Values = .scalars, _ body: (Setting) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let made = Made()
        let kind = RemoteKind(rawValue: "tables")
        let remotes = RemoteFactory().registering(kind, needsApplicationId: false) { setup in
            let remote = TableRemote(
                clock: clock, mapping: setup.mapping, differing: ["Holiday": { $0.values = values }])
            remote.put("Holiday", "there", ["date": .string(Self.text), "country": "no", "n": 1])
            made.set(remote)
            return remote
        }
        var configuration = GatewayConfiguration(dataDirectory: directory.path + "/data")
        configuration.remote = GatewayConfiguration.Remote(kind: kind, url: "http://localhost/tables")
        configuration.listen = ListenAddress(host: "127.0.0.1", port: 0)
        configuration.classes = ["Holiday"]
        configuration.synchronous = .normal
        let gateway = try await Gateway(
            configuration: configuration, stores: LocalStoreKind(), remotes: remotes, logger: .quiet)
        let running = Task { try await gateway.run() }
        try await body(Setting(url: gateway.url, remote: try made.get()))
        running.cancel()
        try await running.value
    }

    @Test func declaredColumnTypesConvertRowsPulledEarlier() async throws {
        try await withGateway { gateway in
            try await gateway.sync()
            #expect(try await gateway.field("date", of: "there") == .string(Self.text))
            let options: JSONObject = [
                "table": "/api/holiday",
                "fields": ["date": "Date", "country": ["type": "Pointer", "targetClass": "Country"]],
            ]
            let answer = try await gateway.send(.put, "/sync/classes/Holiday", options)
            #expect(answer.status == 200)
            try await gateway.sync()
            #expect(try await gateway.field("date", of: "there") == Self.date)
            #expect(
                try await gateway.field("country", of: "there") == Pointer(className: "Country", objectId: "no").json)
            for json in [answer.json, try await gateway.send(.get, "/sync/classes/Holiday").json] {
                #expect(json["table"] == "/api/holiday")
                #expect(
                    json["mapping"] == [
                        "country": ["type": "Pointer", "targetClass": "Country", "declared": true],
                        "date": ["type": "Date", "declared": true],
                    ])
            }
            let refused = try await gateway.send(.put, "/classes/Holiday/there", ["date": "soon"])
            #expect(refused.json["code"] == 111)
            #expect(
                try await gateway.send(.get, "/sync/classes/Holiday").json["fields"]?.object?["date"]
                    == ["type": "Date"])
        }
    }

    /// A Date written to one object does not show that the texts of other objects are dates.
    @Test func aWrittenDateDoesNotChangeTheTypeOfItsColumn() async throws {
        try await withGateway { gateway in
            try await gateway.sync()
            let made = try await gateway.send(.post, "/classes/Holiday", ["date": Self.date])
            #expect(made.status == 201)
            try await gateway.sync()
            #expect(try await gateway.field("date", of: "there") == .string(Self.text))
            #expect(try await gateway.send(.get, "/sync/classes/Holiday").json["mapping"] == [:])
            #expect(try await gateway.send(.put, "/classes/Holiday/there", ["date": "soon"]).status == 200)
            try await gateway.sync()
            #expect(gateway.remote.fields("Holiday", "there")?["date"] == "soon")
            #expect(try await gateway.send(.get, "/sync/rejections").json["results"] == [])
        }
    }

    @Test func writesOfValuesThatTablesCannotStoreAreRefusedAtOnce() async throws {
        try await withGateway { gateway in
            try await gateway.sync()
            let list: JSONObject = ["n": 2, "tags": ["a"]]
            let error: JSONValue = "tags is a value of the type Array: no table can store it"
            #expect(try await gateway.send(.post, "/classes/Holiday", list).json == ["code": 111, "error": error])
            #expect(try await gateway.send(.put, "/classes/Holiday/there", list).json == ["code": 111, "error": error])
            let batch = try await gateway.send(
                .post, "/batch",
                [
                    "requests": [
                        ["method": "PUT", "path": "/classes/Holiday/there", "body": .object(list)],
                        ["method": "PUT", "path": "/classes/Holiday/there", "body": ["m": 3]],
                    ]
                ])
            #expect(batch.status == 200)
            try await gateway.sync()
            #expect(gateway.remote.fields("Holiday", "there")?["n"] == 1)
            #expect(gateway.remote.fields("Holiday", "there")?["m"] == 3)
            #expect(gateway.remote.live("Holiday").count == 1)
            #expect(try await gateway.send(.get, "/sync/rejections").json["results"] == [])
            #expect(try await gateway.send(.get, "/sync/pending").json["results"] == [])
        }
    }

    @Test func tableMappingIsRefusedForARemoteThatStoresParseValues() async throws {
        try await withGateway(.any) { gateway in
            let answer = try await gateway.send(.put, "/sync/classes/Holiday", ["fields": ["date": "Date"]])
            #expect(answer.status == 400)
            #expect(answer.json["code"] == 102)
            let json = try await gateway.send(.get, "/sync/classes/Holiday").json
            #expect(json["table"] == nil)
            #expect(json["mapping"] == nil)
            #expect(try await gateway.send(.post, "/classes/Holiday", ["tags": ["a"]]).status == 201)
        }
    }
}
